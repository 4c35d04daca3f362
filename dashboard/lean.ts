// Leaves out of three.js what the model of a city never draws: it has plain and matt surfaces, one lamp with its shadow and a sky,
// and neither pictures, nor mirrors, nor fog, nor glasses to look through. The library's own bundle cannot be shaken: its renderer
// holds a shader for every material. The shaders that stay lose their comments and indents.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const SOURCES = join(dirname(createRequire(import.meta.url).resolve("three")), "../src");

/** Shaders of materials that the model does not use. */
const MATERIALS = /ShaderLib\/(background|backgroundCube|cube|distance|equirect|linedashed|meshmatcap|meshnormal|meshphong|meshphysical|meshtoon|points|sprite|vsm)\.glsl\.js$/;

/** Parts of shaders that are switched off without a picture on a surface, fog, a mirror, bones, or a cut through the scene. */
const PARTS = /ShaderChunk\/(alphahash|alphamap|aomap|batching|bumpmap|clearcoat|clipping|cube_uv|displacementmap|emissivemap|envmap|fog|gradientmap|iridescence|lightmap|lightprobes|lights_fragment_maps|lights_phong|lights_physical|lights_toon|logdepthbuf|map|morph|normal_fragment_maps|normalmap|roughnessmap|metalnessmap|skin|specularmap_pars|tonemapping_pars|transmission|uv)\w*\.glsl\.js$/;

/** Parts of the renderer that only wait to be asked for. */
const IDLE: Record<string, string> = {
  "extras/PMREMGenerator.js": "export class PMREMGenerator {}",
  "renderers/shaders/DFGLUTData.js": "export function getDFGLUT() { return null; }",
  "renderers/webxr/WebXRManager.js": `
    import { EventDispatcher } from "../../core/EventDispatcher.js";
    export class WebXRManager extends EventDispatcher {
      enabled = false;
      isPresenting = false;
      getEnvironmentBlendMode() {}
      setAnimationLoop() {}
      dispose() {}
    }`,
};

function plain(shader: string): string {
  return shader.replace(/\/\*[^]*?\*\//g, "").replace(/\/\/.*$/gm, "").replace(/^\s+|[ \t]+$/gm, "");
}

export const lean: Plugin = {
  name: "lean",
  apply: "build",
  enforce: "pre",
  resolveId: (id) => (id === "three" ? join(SOURCES, "Three.js") : undefined),
  load(id) {
    if (!id.startsWith(SOURCES)) return undefined;
    if (MATERIALS.test(id)) return `export const vertex = "", fragment = "";`;
    if (PARTS.test(id)) return `export default "";`;
    return IDLE[id.slice(SOURCES.length + 1)];
  },
  transform: (code, id) => (id.startsWith(SOURCES) && id.endsWith(".glsl.js") ? { code: plain(code), map: null } : undefined),
};
