// SPDX-License-Identifier: MIT
// Lets Node import modules from a server, as a browser does.
export function resolve(specifier, context, next) {
  return /^http:/.test(specifier) || /^http:/.test(context.parentURL)
    ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
    : next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith('http:')) return next(url, context);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return { format: 'module', source: await response.text(), shortCircuit: true };
}
