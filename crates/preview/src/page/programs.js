// The programs of the graphics card, and what they are fed with.

const LIGHT = `
uniform vec3 key, up;
vec3 linear(vec3 c) { return pow(c, vec3(2.2)); }
vec4 lit(vec3 colour, vec3 n, vec3 place, float shine) {
  vec3 v = -normalize(place);
  float upward = 0.5 + 0.5 * dot(n, up);
  vec3 light = mix(vec3(0.26, 0.255, 0.25), vec3(0.5, 0.53, 0.57), upward)
    + vec3(0.80, 0.77, 0.72) * max(dot(n, key), 0.0) + 0.12 * max(dot(n, v), 0.0);
  vec3 c = linear(colour) * light;
  float flatness = 1.0 - clamp(dot(n, v), 0.0, 1.0);
  c += shine * (pow(max(dot(n, normalize(v + key)), 0.0), 60.0) + pow(flatness, 5.0));
  return vec4(pow(min(c, 1.0), vec3(1.0 / 2.2)), 1.0);
}`;
const HEAD = "#version 300 es\nprecision highp float;\n";

/** Balls: a square before each, in which every pixel's ray meets the sphere or not. */
const BALL_VERTEX = `${HEAD}
uniform mat4 toEye, lens; uniform vec3 low, size; uniform float radius; uniform bool isSolid;
uniform sampler2D scale;
in vec4 place; in float ball;
out vec3 centre, at; out vec3 colour; flat out float r;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  r = isSolid ? ball : radius;
  centre = (toEye * vec4(isSolid ? place.xyz : low + place.xyz * size, 1.0)).xyz;
  vec3 to = normalize(centre);
  vec3 side = normalize(cross(to, vec3(0.0, 1.0, 0.0)));
  vec3 over = cross(side, to);
  float far = length(centre);
  float wide = r * far / sqrt(max(far * far - r * r, 1e-12)) * 1.06;
  at = centre + wide * (corner.x * side + corner.y * over);
  colour = isSolid ? vec3(0.769, 0.745, 0.706)
    : texelFetch(scale, ivec2(int(place.w * 255.0 + 0.5), 0), 0).rgb;
  gl_Position = lens * vec4(at, 1.0);
}`;
const BALL_PIXEL = `${HEAD}
uniform mat4 lens; uniform bool isSolid;
in vec3 centre, at; in vec3 colour; flat in float r;
out vec4 pixel;
${LIGHT}
void main() {
  vec3 ray = normalize(at);
  float along = dot(ray, centre);
  vec3 off = along * ray - centre;
  float under = r * r - dot(off, off);
  float edge = under / max(fwidth(under), 1e-12);
  if (edge < -0.5) discard;
  vec3 place = ray * (along - sqrt(max(under, 0.0)));
  vec4 clip = lens * vec4(place, 1.0);
  gl_FragDepth = clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
  pixel = lit(colour, normalize(place - centre), place, isSolid ? 0.03 : 0.1);
  pixel.a = clamp(edge + 0.5, 0.0, 1.0);
}`;
const SKIN_VERTEX = `${HEAD}
uniform mat4 toEye, lens; uniform vec3 low, size; uniform bool isSolid; uniform sampler2D scale;
in vec4 place; in vec3 normal;
out vec3 at, n; out vec3 colour;
void main() {
  at = (toEye * vec4(isSolid ? place.xyz : low + place.xyz * size, 1.0)).xyz;
  n = mat3(toEye) * normal;
  colour = isSolid ? vec3(0.769, 0.745, 0.706)
    : texelFetch(scale, ivec2(int(place.w * 255.0 + 0.5), 0), 0).rgb;
  gl_Position = lens * vec4(at, 1.0);
}`;
const SKIN_PIXEL = `${HEAD}
uniform bool isSolid;
in vec3 at, n; in vec3 colour;
out vec4 pixel;
${LIGHT}
void main() { pixel = lit(colour, normalize(n), at, isSolid ? 0.03 : 0.5); }`;
/** Foam: white discs, which are fainter where they would be smaller than a pixel. */
const FOAM_VERTEX = `${HEAD}
uniform mat4 toEye, lens; uniform vec3 low, size; uniform float radius, pixels;
in vec4 place;
out float dense;
void main() {
  vec3 at = (toEye * vec4(low + place.xyz * size, 1.0)).xyz;
  gl_Position = lens * vec4(at, 1.0);
  // What floats on a surface is seen, though it is half inside.
  vec4 nearer = lens * vec4(at - normalize(at) * 2.5 * place.w * radius, 1.0);
  gl_Position.z = nearer.z / nearer.w * gl_Position.w;
  float wide = place.w * radius * lens[1][1] * pixels / gl_Position.w;
  gl_PointSize = max(wide, 1.5);
  dense = min(wide / gl_PointSize, 1.0);
}`;
const FOAM_PIXEL = `${HEAD}
in float dense;
out vec4 pixel;
void main() {
  vec2 off = 2.0 * gl_PointCoord - 1.0;
  float inside = 1.0 - smoothstep(0.5, 1.0, dot(off, off));
  float alpha = 0.75 * dense * dense * inside;
  pixel = vec4(vec3(0.97, 0.98, 1.0) * alpha, alpha);
}`;
/** The floor and the edges of the domain. */
const PLAIN_VERTEX = `${HEAD}
uniform mat4 toEye, lens;
in vec3 place; out vec3 at;
void main() { at = place; gl_Position = lens * toEye * vec4(place, 1.0); }`;
const PLAIN_PIXEL = `${HEAD}
uniform vec4 colour; uniform vec3 middle; uniform float reach;
in vec3 at; out vec4 pixel;
void main() {
  float fade = reach > 0.0 ? 1.0 - smoothstep(0.28, 1.0, length(at.xy - middle.xy) / reach) : 1.0;
  pixel = vec4(colour.rgb, colour.a * fade);
}`;

/** The background: white above, bluish below. */
const BACK_VERTEX = `${HEAD}
out float up;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  up = 0.5 + 0.5 * corner.y;
  gl_Position = vec4(corner, 1.0, 1.0);
}`;
const BACK_PIXEL = `${HEAD}
in float up; out vec4 pixel;
void main() { pixel = vec4(mix(vec3(0.886, 0.914, 0.941), vec3(1.0), up), 1.0); }`;

function program(vertex, pixel, attributes) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, pixel]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Error(gl.getShaderInfoLog(shader));
    }
    gl.attachShader(made, shader);
  }
  attributes.forEach((name, k) => gl.bindAttribLocation(made, k, name));
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const places = {};
  const count = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS);
  for (let k = 0; k < count; k += 1) {
    const { name } = gl.getActiveUniform(made, k);
    places[name] = gl.getUniformLocation(made, name);
  }
  return { made, places };
}

/** A vertex array: for each attribute data, count, type, stride, offset, and per instance. */
function vertices(attributes, corners = null) {
  const array = gl.createVertexArray();
  const buffers = attributes.map(() => gl.createBuffer());
  gl.bindVertexArray(array);
  attributes.forEach(({ data, count, type, isPart, stride, offset, each }, k) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[k]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(k);
    gl.vertexAttribPointer(k, count, type, Boolean(isPart), stride, offset ?? 0);
    gl.vertexAttribDivisor(k, each ?? 0);
  });
  if (corners) {
    const buffer = gl.createBuffer();
    buffers.push(buffer);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.STATIC_DRAW);
  }
  gl.bindVertexArray(null);
  const drop = () => { gl.deleteVertexArray(array); buffers.forEach((b) => gl.deleteBuffer(b)); };
  return { array, drop };
}
