/** The check that pages can draw with WebGL, and what draws: SwiftShader on the CPU, or a graphics card. */
import { callInPage } from '../engine/devtools/evaluate.ts';
import { pixelsOf } from '../engine/health/pixel.ts';
import { loadPage } from '../engine/loading/load-page.ts';
import { withInternalWindow, inlineSource } from '../converter/internal-job.ts';
import { produce } from '../output/produce.ts';
import { internalJob, type Check, type CheckContext } from './check.ts';

const width = 80;
const height = 20;

/** The colours of the left and the right half. */
const expected = [
  [255, 128, 0],
  [0, 64, 255],
] as const;

/** Maximum difference of a channel, out of 255. */
const tolerance = 3;

/** A shader draws the halves, because clearing the canvas would need no shader compiler, which is what is missing without WebGL. */
const html = `<!DOCTYPE html><body style="margin: 0"><canvas width="${width}" height="${height}" style="display: block"></canvas><script>
const gl = document.querySelector('canvas').getContext('webgl');
if (gl !== null) {
  const program = gl.createProgram();
  const attach = (type, source) => {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  };
  attach(gl.VERTEX_SHADER, 'attribute vec2 corner; void main() { gl_Position = vec4(corner, 0.0, 1.0); }');
  attach(gl.FRAGMENT_SHADER, 'precision mediump float; void main() { gl_FragColor = gl_FragCoord.x < ${width / 2}.0 ? vec4(1.0, 0.5, 0.0, 1.0) : vec4(0.0, 0.25, 1.0, 1.0); }');
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(gl.getAttribLocation(program, 'corner'));
  gl.vertexAttribPointer(gl.getAttribLocation(program, 'corner'), 2, gl.FLOAT, false, 0, 0);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  const { UNMASKED_RENDERER_WEBGL = gl.RENDERER } = gl.getExtension('WEBGL_debug_renderer_info') ?? {};
  document.body.dataset.renderer = gl.getParameter(UNMASKED_RENDERER_WEBGL);
}
</script>`;

export const webgl: Check = {
  name: 'webgl',
  advice:
    'Restart the service. If the check still fails, set webgl to off, so that pages use their fallback.',
  async run(context) {
    const { renderer, image } = await drawing(context);
    const isOn = context.settings.webgl;
    if (renderer === undefined && !isOn) return 'Pages have no WebGL, because the setting webgl is off.';
    if (renderer === undefined)
      return {
        warning:
          'Pages get no WebGL context although the setting webgl is on, so maps and 3D scenes stay blank; this version of Electron may lack SwiftShader.',
      };
    if (!isOn) throw new Error(`the setting webgl is off, but a page drew with ${renderer}`);
    const pixel = pixelsOf(image);
    expected.forEach((colour, index) => {
      const found = pixel(width / 4 + (index * width) / 2, height / 2);
      if (colour.some((channel, position) => Math.abs(channel - (found[position] ?? NaN)) > tolerance))
        throw new Error(`${renderer} drew the colour ${found.join(', ')} instead of ${colour.join(', ')}`);
    });
    return `A shader's drawing is right in an image; it was drawn by ${renderer}.`;
  },
};

/** Converts the page to an image. `renderer`: the name of what draws; undefined if the page gets no WebGL context. */
async function drawing(context: CheckContext): Promise<{ renderer: string | undefined; image: Buffer }> {
  const source = inlineSource(html, { scripts: true, headerFooter: {} });
  const options = { output_format: 'png', screenshot_width: width } as const;
  return withInternalWindow({ ...internalJob(context), source, options }, context, async (window, run) => {
    const page = await loadPage(window, source, run);
    const renderer = await callInPage(window.contents, () => document.body.dataset.renderer ?? '');
    const { bytes } = await produce(page, run, context);
    return { renderer: renderer === '' ? undefined : renderer, image: bytes };
  });
}
