// SPDX-License-Identifier: MIT
// Runs a picture frame by frame while it is in sight and not paused.

export class Player {
  #frame = 0;
  #seen = false;
  #step;
  #button;
  constructor(canvas, button, step) {
    this.#step = step;
    this.#button = button;
    this.playing = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    button.addEventListener('click', () => this.toggle());
    canvas.addEventListener('keydown', (event) => {
      if (event.key !== ' ') return;
      event.preventDefault();
      this.toggle();
    });
    new IntersectionObserver(([entry]) => {
      this.#seen = entry.isIntersecting;
      this.#run();
    }).observe(canvas);
    step();
    this.#label();
  }
  toggle() {
    this.playing = !this.playing;
    this.#label();
    this.#run();
  }
  #label() {
    this.#button.textContent = this.playing ? 'Pause' : 'Play';
  }
  #run() {
    cancelAnimationFrame(this.#frame);
    if (!this.playing || !this.#seen) return;
    this.#frame = requestAnimationFrame(() => {
      this.#step();
      this.#run();
    });
  }
}
