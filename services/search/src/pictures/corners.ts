import type { Grey } from './grey.js'

/** Pixels of a corner differ by at most this from its colour. */
const tolerance = 16
/** How deep a filled corner is at most, as a part of the longer side: that of a rotation by 3 degrees. */
const depthMax = 0.055
/** How long a corner is at least, as a part of a side. */
const sideFrom = 0.25
/** The blurred edge of a corner, in pixels. */
const edgePx = 2

/**
 * Fills the corners that a slight rotation leaves with the colour beside them, so that they do not look like content.
 * Changes the picture. Corners that belong to the background of the picture are deeper, and stay.
 */
export function fillCorners(picture: Grey): void {
  const { width, height } = picture
  const depth = Math.ceil(depthMax * Math.max(width, height))
  if (Math.min(width, height) < 4 * edgePx) return
  const corners = [0, width - 1, (height - 1) * width, height * width - 1]
  const triangles = corners.map((corner) => cornerCells(picture, corner, depth))
  if (!triangles.every((cells) => isTriangle(cells, width, height))) return
  const filled = new Uint8Array(width * height)
  for (const cell of triangles.flat()) filled[cell] = 1
  const { covered, ring } = widened(filled, width, height)
  const colour = medianOf(ring.map((i) => picture.data[i] as number))
  for (const i of covered) picture.data[i] = colour
}

/** The connected pixels with the colour of a corner; none if they reach deeper than `depth` pixels. */
function cornerCells({ width, height, data }: Grey, corner: number, depth: number): number[] {
  const colour = data[corner] as number
  const seen = new Uint8Array(width * height)
  const cells: number[] = []
  const see = (at: number) => {
    if (seen[at] || Math.abs((data[at] as number) - colour) > tolerance) return
    seen[at] = 1
    cells.push(at)
  }
  see(corner)
  for (let next = 0; next < cells.length; next++) {
    const at = cells[next] as number
    const x = at % width
    const y = (at - x) / width
    if (Math.min(x, y, width - 1 - x, height - 1 - y) > depth) return []
    if (x > 0) see(at - 1)
    if (x < width - 1) see(at + 1)
    if (y > 0) see(at - width)
    if (y < height - 1) see(at + width)
  }
  return cells
}

/** Whether cells are half of the rectangle around them, and take a good part of a side. */
function isTriangle(cells: number[], width: number, height: number): boolean {
  const columns = new Set(cells.map((at) => at % width)).size
  const rows = new Set(cells.map((at) => Math.floor(at / width))).size
  const part = cells.length / (columns * rows)
  return Math.abs(part - 0.5) < 0.2 && Math.max(columns / width, rows / height) > sideFrom
}

function neighbours(x: number, y: number, width: number, height: number): number[] {
  const at = y * width + x
  const out: number[] = []
  if (x > 0) out.push(at - 1)
  if (x < width - 1) out.push(at + 1)
  if (y > 0) out.push(at - width)
  if (y < height - 1) out.push(at + width)
  return out
}

/** `covered`: the filled pixels and those of their edge. `ring`: the pixels beside them. */
function widened(filled: Uint8Array, width: number, height: number) {
  const distance = new Uint8Array(filled.length)
  let front: number[] = []
  filled.forEach((flag, i) => {
    if (flag) front.push(i)
  })
  const covered = [...front]
  let ring: number[] = []
  for (let step = 1; step <= edgePx + 1; step++) {
    const next: number[] = []
    for (const at of front) {
      const x = at % width
      for (const to of neighbours(x, (at - x) / width, width, height)) {
        if (filled[to] || distance[to]) continue
        distance[to] = step
        next.push(to)
      }
    }
    if (step <= edgePx) covered.push(...next)
    ring = next
    front = next
  }
  return { covered, ring }
}

const medianOf = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 255
