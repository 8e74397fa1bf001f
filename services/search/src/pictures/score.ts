import { matrixOf, type Placement } from './align.js'
import { directions } from './edges.js'
import { clamp } from './grey.js'
import { mapSide, type Part } from './local.js'

const blockSide = 4
const blocks = mapSide / blockSide

/** How much of the edges of two parts agree, if a lies on b as given: 0 to 1. */
export function scoreOf(a: Part, b: Part, placement: Placement): number {
  const { moved, inside } = sampled(a, b, placement)
  let shared = 0
  let all = 1e-6
  for (let row = 0; row < blocks; row++) {
    for (let column = 0; column < blocks; column++) {
      const block = compareBlock(a.map.data, moved, inside, row * blockSide, column * blockSide)
      shared += block.shared
      all += block.all
    }
  }
  return (2 * shared) / all
}

/** The map of b as seen from the cells of a. `inside`: 1 where b is known. */
function sampled(a: Part, b: Part, placement: Placement) {
  const { xx, xy, yx, yy } = matrixOf(placement, a.aspect)
  const { side, data } = b.map
  const stride = side * directions
  const moved = new Float32Array(data.length)
  const inside = new Uint8Array(side * side)
  for (let i = 0; i < side * side; i++) {
    const px = ((i % side) + 0.5) / side - 0.5
    const py = (Math.floor(i / side) + 0.5) / side - 0.5
    const x = (0.5 + placement.x + xx * px + xy * py) * side - 0.5
    const y = (0.5 + placement.y + yx * px + yy * py) * side - 0.5
    if (x < -0.5 || y < -0.5 || x > side - 0.5 || y > side - 0.5) {
      inside[i] = isClosed(b, x, y) ? 1 : 0
      continue
    }
    inside[i] = 1
    const column = clamp(Math.floor(x), 0, side - 2)
    const row = clamp(Math.floor(y), 0, side - 2)
    const right = clamp(x - column, 0, 1)
    const down = clamp(y - row, 0, 1)
    const at = row * stride + column * directions
    for (let c = 0; c < directions; c++) {
      const above =
        (1 - right) * (data[at + c] as number) + right * (data[at + directions + c] as number)
      const below =
        (1 - right) * (data[at + stride + c] as number) +
        right * (data[at + stride + directions + c] as number)
      moved[i * directions + c] = (1 - down) * above + down * below
    }
  }
  return { moved, inside }
}

function isClosed({ closed }: Part, x: number, y: number) {
  const [top, bottom, left, right] = closed
  return (
    (y >= -0.5 || top) &&
    (y <= mapSide - 0.5 || bottom) &&
    (x >= -0.5 || left) &&
    (x <= mapSide - 0.5 || right)
  )
}

/** The best agreement of a block of a with b, also one cell away. */
function compareBlock(
  a: Float32Array,
  b: Float32Array,
  inside: Uint8Array,
  top: number,
  left: number,
) {
  let best = { shared: 0, all: 0, part: -1 }
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      let shared = 0
      let all = 0
      for (let y = top; y < top + blockSide; y++) {
        const by = y + dy
        if (by < 0 || by >= mapSide) continue
        for (let x = left; x < left + blockSide; x++) {
          const bx = x + dx
          if (bx < 0 || bx >= mapSide) continue
          const to = by * mapSide + bx
          if (!inside[to]) continue
          const from = (y * mapSide + x) * directions
          for (let c = 0; c < directions; c++) {
            const ours = a[from + c] as number
            const theirs = b[to * directions + c] as number
            shared += Math.min(ours, theirs)
            all += ours + theirs
          }
        }
      }
      const part = shared / (all + 0.5)
      if (part > best.part) best = { shared, all, part }
    }
  }
  return best
}
