// SPDX-License-Identifier: MIT
// Drawing in three dimensions on a plain canvas: a camera, and colours that follow the theme.

/** A colour of style.css. */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Calls draw now, after the theme changes, and after the canvas gets another size. */
export function keepDrawn(canvas, draw) {
  const fit = () => {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio].map(Math.round);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    draw();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', fit);
  new ResizeObserver(fit).observe(canvas);
}

/** Looks at the origin from a distance, turned about y and tilted down. */
export class Camera {
  constructor({ turn = -0.5, tilt = 0.4, distance = 12, zoom = 1.6 } = {}) {
    Object.assign(this, { turn, tilt, distance, zoom });
  }
  /** Coordinates of a point in the camera: x right, y up, depth away from it. */
  place([x, y, z]) {
    const [c, s, d, t] = [Math.cos(this.turn), Math.sin(this.turn), Math.cos(this.tilt), Math.sin(this.tilt)];
    const [u, w] = [c * x + s * z, -s * x + c * z];
    return [u, d * y - t * w, this.distance - (t * y + d * w)];
  }
  /** Where a point is on the canvas, and how many pixels a unit has there. */
  project(point, { width, height }) {
    const [x, y, depth] = this.place(point);
    const scale = (this.zoom * Math.min(width, height * 1.2)) / depth;
    return [width / 2 + x * scale, height / 2 - y * scale, scale, depth];
  }
}

/** Whether a face on the canvas is seen from outside of its volume. */
export const facesUs = (points) =>
  (points[1][0] - points[0][0]) * (points[2][1] - points[0][1]) -
    (points[1][1] - points[0][1]) * (points[2][0] - points[0][0]) <
  0;

/** Fills faces, which are lists of points on the canvas. */
export function drawFaces(context, faces, fill, line) {
  for (const points of faces) {
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = line;
    context.stroke();
  }
}

/** A convex volume with a ball: the faces behind, the ball, the faces in front of it. */
export function drawVolume(canvas, camera, volume, centre, radius, ballColour) {
  const context = canvas.getContext('2d');
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.lineWidth = Math.max(1.5, canvas.width / 500);
  const corners = volume.corners.map((corner) => camera.project(corner, canvas));
  const faces = volume.faces.map((face) => face.map((i) => corners[i]));
  const ball = () => {
    const [x, y, scale] = camera.project(centre, canvas),
      r = radius * scale;
    const shade = context.createRadialGradient(x - r / 3, y - r / 3, r / 10, x, y, r);
    shade.addColorStop(0, colour('ball-light'));
    shade.addColorStop(1, ballColour);
    context.globalAlpha = 0.88;
    context.fillStyle = shade;
    context.beginPath();
    context.arc(x, y, r, 0, 7);
    context.fill();
    context.globalAlpha = 1;
  };
  // The ball hides the volume where it is beyond none of the faces that look away from us: good enough for a picture.
  const nearer = camera.place(centre)[2] < camera.distance - 0.2;
  drawFaces(
    context,
    faces.filter((face) => !facesUs(face)),
    colour('face-back'),
    colour('edge-back'),
  );
  if (!nearer) ball();
  drawFaces(context, faces.filter(facesUs), colour('face'), colour('edge'));
  if (nearer) ball();
}
