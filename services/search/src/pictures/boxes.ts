import { type Box, type Grey, partOf, wholeOf } from './grey.js'
import {
  borderColour,
  depthOf,
  edgeBelow,
  endColours,
  isUniform,
  movedIn,
  type Side,
  sides,
} from './lines.js'

/**
 * The parts of a picture that are described.
 * `content`: the picture without uniform margins. `centre`: the content of its inner 80 %, which is the content of the
 * picture after a crop. `framed`: the content of a page, from the least to the most likely, if the picture looks like
 * the screenshot of a window.
 */
export type Boxes = { content: Box; centre: Box; framed: Box[] }

/** What a crop removes from each side. */
const cropped = 0.1
/** A window has at most this many bars and borders. */
const barsMax = 10
/** The part of a line that is an edge between a bar and its neighbour. */
const edgeFrom = 0.96
/** A line between a bar and its neighbour has at most this many pixels. */
const linePx = 2
/** The colours of a bar and its neighbour differ by more than this. */
const colourContrast = 8
/** How deep a bar is at most, as a part of the picture. */
const barMax = { top: 0.6, bottom: 0.3, left: 0.3, right: 0.3 }
/** How deep a border is at most, in pixels. */
const borderMaxPx = 4
/** How many margins and borders may be around each other. */
const roundsMax = 4
/** The least gap between a figure and the text above, below and beside it, as a part of the page. */
const gapFrom = { top: 0.035, left: 0.08 }

export function boxesOf(picture: Grey): Boxes {
  const whole = wholeOf(picture)
  const content = contentOf(picture, whole)
  return {
    content,
    centre: contentOf(picture, rounded(partOf(whole, cropped, cropped, 1 - cropped, 1 - cropped))),
    framed: framedIn(picture, content),
  }
}

/** Removes margins of one colour from each side. A picture without content stays as it is. */
export function trim(picture: Grey, full: Box): Box {
  let box = full
  for (const side of sides) {
    const colour = borderColour(picture, box, side)
    const depth = depthOf(box, side)
    let margin = 0
    while (margin < depth && isUniform(picture, box, side, margin, colour)) margin++
    if (margin === depth) return full
    box = movedIn(box, side, margin)
  }
  return box
}

/** Removes margins and borders until there are none. */
function contentOf(picture: Grey, full: Box): Box {
  let box = full
  for (let round = 0; round < roundsMax; round++) {
    const inner = withoutBorders(picture, trim(picture, box))
    if (sides.every((side) => box[side] === inner[side])) break
    box = inner
  }
  return box
}

/** Removes lines along the sides, and the margins within them. */
function withoutBorders(picture: Grey, full: Box): Box {
  let box = full
  for (const side of [...sides, ...sides]) {
    const depth = edgeDepth(picture, box, side, borderMaxPx, 0)
    if (depth !== undefined) box = trim(picture, movedIn(box, side, depth))
  }
  return box
}

/** Removes the bars of a window, then the margins of its page. */
function framedIn(picture: Grey, content: Box): Box[] {
  // Sides of the page with a margin. A margin around a whole window is not one of its page.
  const empty = new Set(sidesMoved(wholeOf(picture), content))
  if (empty.size === sides.length) empty.clear()
  let box = content
  for (let bars = 0; bars < barsMax; bars++) {
    const bar = barOf(picture, box, bars === 0 ? ['top'] : sides)
    if (!bar) return bars === 0 ? [] : [box]
    const cut = movedIn(box, bar.side, bar.depth)
    box = contentOf(picture, cut)
    empty.delete(bar.side)
    for (const side of sidesMoved(cut, box)) empty.add(side)
    if (empty.size >= 3) return pageParts(picture, box, [...empty][0] as Side)
  }
  return [box]
}

/** The content of a page, and its largest block. `empty`: a side of the content with a margin. */
function pageParts(picture: Grey, page: Box, empty: Side): Box[] {
  const colour = borderColour(picture, movedIn(page, empty, -1), empty)
  const block = contentOf(picture, largestBlock(picture, page, colour))
  return sidesMoved(page, block).length === 0 ? [page] : [page, block]
}

/** A bar along one of these sides: its colour at both ends is not that of what follows it. */
function barOf(picture: Grey, box: Box, from: readonly Side[]) {
  for (const side of from) {
    const bar = endColours(picture, box, side, 0)
    const deepest = Math.floor(depthOf(box, side) * barMax[side])
    let depth = edgeDepth(picture, box, side, deepest, 0)
    while (depth !== undefined) {
      const next = endColours(picture, box, side, Math.min(depth + linePx, depthOf(box, side) - 1))
      if (bar.every((colour, end) => Math.abs(colour - (next[end] as number)) > colourContrast))
        return { side, depth }
      depth = edgeDepth(picture, box, side, deepest, depth)
    }
  }
  return undefined
}

/** The depth of the first edge along a side from a depth on, in pixels. */
function edgeDepth(picture: Grey, box: Box, side: Side, deepest: number, from: number) {
  const end = Math.min(deepest, depthOf(box, side) - 2)
  for (let depth = from; depth < end; depth++)
    if (edgeBelow(picture, box, side, depth) >= edgeFrom) return depth + 1
  return undefined
}

/** The largest part of a page between gaps of its colour. */
function largestBlock(picture: Grey, page: Box, colour: number): Box {
  let box = page
  const length = Math.max(depthOf(page, 'top'), depthOf(page, 'left'))
  for (const side of ['top', 'left', 'top'] as const) {
    const [from, to] = longestRun(picture, box, side, colour, length * gapFrom[side])
    const opposite = side === 'top' ? 'bottom' : 'right'
    box = movedIn(movedIn(box, opposite, depthOf(box, side) - to), side, from)
  }
  return box
}

/** The longest run of lines without a gap. */
function longestRun(
  picture: Grey,
  box: Box,
  side: Side,
  colour: number,
  gap: number,
): [number, number] {
  const depth = depthOf(box, side)
  let longest: [number, number] = [0, 0]
  let start = 0
  let end = 0
  for (let at = 0; at < depth; at++) {
    if (isUniform(picture, box, side, at, colour)) continue
    if (at - end > gap) start = at
    end = at + 1
    if (end - start > longest[1] - longest[0]) longest = [start, end]
  }
  return longest[1] === 0 ? [0, depth] : longest
}

const rounded = ({ left, top, right, bottom }: Box): Box => ({
  left: Math.floor(left),
  top: Math.floor(top),
  right: Math.ceil(right),
  bottom: Math.ceil(bottom),
})

const sidesMoved = (a: Box, b: Box) => sides.filter((side) => Math.abs(a[side] - b[side]) > 1)
