/**
 * A WebAssembly program with one function, `scan(rows, query, out, count, width)`: addresses in bytes of the memory
 * that it imports. It writes the dot products, as 32-bit integers, of `count` rows of `width` 8-bit integers with a
 * query of `width` 16-bit integers. The width is a multiple of 16. It uses 128-bit SIMD, which is several times faster
 * than the same loop in JavaScript.
 */
const [rows, query, out, count, width, end, at, sum] = [0, 1, 2, 3, 4, 5, 6, 7]
const i32 = 0x7f
const v128 = 0x7b

const get = (local = 0) => [0x20, local]
const set = (local = 0) => [0x21, local]
const constant = (value: number) => [0x41, ...signed(value)]
const add = [0x6a]
const increase = (local = 0, by = 0) => [...get(local), ...constant(by), ...add, ...set(local)]
/** `v128.load8x8_s`: 8 bytes, widened to 8 integers of 16 bits. */
const loadRow = (offset: number) => [...get(rows), 0xfd, 0x01, 0, offset]
const loadQuery = (offset: number) => [...get(at), 0xfd, 0x00, 0, offset]
/** Products of 16-bit integers, added in pairs to 4 integers of 32 bits. */
const dot = [0xfd, 0xba, 0x01]
const addLanes = [0xfd, 0xae, 0x01]
const lane = (n: number) => [...get(sum), 0xfd, 0x1b, n]
const empty = 0x40
const loop = (body: number[]) => [0x03, empty, ...body, 0x0b]

const addProducts = (rowOffset: number) => [
  ...loadRow(rowOffset),
  ...loadQuery(2 * rowOffset),
  ...dot,
  ...addLanes,
]

const body = [
  ...loop([
    ...[0xfd, 0x0c, ...Array<number>(16).fill(0), ...set(sum)],
    ...[...get(query), ...set(at)],
    ...[...get(rows), ...get(width), ...add, ...set(end)],
    ...loop([
      ...[...get(sum), ...addProducts(0), ...addProducts(8), ...set(sum)],
      ...increase(rows, 16),
      ...increase(at, 32),
      // Continues while rows < end.
      ...[...get(rows), ...get(end), 0x49, 0x0d, 0],
    ]),
    ...[...get(out), ...lane(0), ...lane(1), ...add, ...lane(2), ...add, ...lane(3), ...add],
    // `i32.store`, aligned to 4 bytes.
    ...[0x36, 2, 0],
    ...increase(out, 4),
    // Continues while rows remain.
    ...[...increase(count, -1), ...get(count), 0x0d, 0],
  ]),
  0x0b,
]

const locals = [2, 2, i32, 1, v128]
const code = [...locals, ...body]

export const int8Program = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, 0x60, 5, i32, i32, i32, i32, i32, 0]),
  // The memory `m.m`, of at least 0 pages.
  ...section(2, [1, 1, 0x6d, 1, 0x6d, 0x02, 0, 0]),
  ...section(3, [1, 0]),
  ...section(7, [1, 4, ...Buffer.from('scan'), 0, 0]),
  ...section(10, [1, ...unsigned(code.length), ...code]),
)

function section(id: number, content: number[]): number[] {
  return [id, ...unsigned(content.length), ...content]
}

/** LEB128, as the format demands. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** Of a number from -64 to 63. */
function signed(value: number): number[] {
  return [value & 0x7f]
}
