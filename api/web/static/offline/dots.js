// Dot products of one vector with many, of bytes from -127 to 127. Where a browser has 128-bit instructions a module of WebAssembly
// takes sixteen at a time, in a sixth of the time of a loop; it is written out here, as https://webassembly.github.io/spec/core/binary
// has it.
const I32 = 0x7f, V128 = 0x7b, EMPTY = 0x40, BYTES = 16, PAGE = 1 << 16;

const set = (place) => [0x21, place], get = (place) => [0x20, place], kept = (place) => [0x22, place];
const loop = (...body) => [0x03, EMPTY, ...body, 0x0b], again = [0x0d, 0]; // again: to the beginning of the loop, where not 0
const number = (value) => [0x41, value], plus = [0x6a], less = [0x49], put = [0x36, 2, 0];
const load = [0xfd, 0x00, 0, 0], zeros = [...number(0), 0xfd, 0x11], lane = (place) => [0xfd, 0x1b, place];
const low = [0xfd, 0x9c, 1], high = [0xfd, 0x9d, 1]; // products of the first and of the last eight bytes, 16 bits each
const pairs = [0xfd, 0x8e, 1], widened = [0xfd, 0x7e], sums = [0xfd, 0xae, 1];

// dots(one, size, at, end, out): writes at `out` the product of the `size` bytes at `one` with each so many bytes from `at` to `end`.
const [ONE, SIZE, AT, END, OUT, STEP, SUM, LEFT, RIGHT] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const moved = (place, by) => [...get(place), ...number(by), ...plus, ...set(place)];
const CODE = loop(
  ...zeros, ...set(SUM), ...number(0), ...set(STEP),
  ...loop(
    ...get(ONE), ...get(STEP), ...plus, ...load, ...kept(LEFT), ...get(AT), ...load, ...kept(RIGHT), ...low,
    ...get(LEFT), ...get(RIGHT), ...high, ...pairs, ...widened, ...get(SUM), ...sums, ...set(SUM),
    ...moved(AT, BYTES), ...moved(STEP, BYTES), ...get(STEP), ...get(SIZE), ...less, ...again,
  ),
  ...get(OUT), ...[0, 1, 2, 3].flatMap((place) => [...get(SUM), ...lane(place), ...(place ? plus : [])]), ...put,
  ...moved(OUT, 4), ...get(AT), ...get(END), ...less, ...again,
);

const section = (kind, ...content) => [kind, ...size(content.length), ...content];
const size = (count) => (count < 128 ? [count] : [(count & 127) | 128, count >> 7]);
const name = (word) => [word.length, ...[...word].map((letter) => letter.charCodeAt(0))];
const body = [2, 1, I32, 3, V128, ...CODE, 0x0b]; // locals: a number and three vectors
const MODULE = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  ...section(1, 1, 0x60, 5, I32, I32, I32, I32, I32, 0), // one type: five numbers, nothing given back
  ...section(2, 1, ...name("page"), ...name("memory"), 0x02, 0x00, 0),
  ...section(3, 1, 0),
  ...section(7, 1, ...name("dots"), 0x00, 0),
  ...section(10, 1, ...size(body.length), ...body),
]);

/** Gives what makes the dot products of a vector with each of `vectors`, which lie one after the other; they are its own array. */
export function dots(vectors, length) {
  try {
    return length % BYTES ? looped(vectors, length) : compiled(vectors, length);
  } catch {
    return looped(vectors, length); // an older browser
  }
}

function compiled(vectors, length) {
  const count = vectors.length / length, one = vectors.length, out = one + length, all = out + 4 * count;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(all / PAGE) }), bytes = new Int8Array(memory.buffer);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE), { page: { memory } });
  const products = new Int32Array(memory.buffer, out, count);
  bytes.set(vectors);
  return (vector) => {
    bytes.set(vector, one);
    if (count) exports.dots(one, length, 0, one, out);
    return products;
  };
}

/** The same in a loop. */
export function looped(vectors, length) {
  const products = new Int32Array(vectors.length / length);
  return (vector) => {
    for (let place = 0, at = 0; place < products.length; place += 1) {
      let sum = 0;
      for (let one = 0; one < length; one += 1, at += 1) sum = (sum + Math.imul(vector[one], vectors[at])) | 0;
      products[place] = sum;
    }
    return products;
  };
}
