import { type Box, type Grey, partOf, wholeOf } from './grey.js'
import { borderColour, depthOf, edgeBelow, isUniform, movedIn, type Side, sides } from './lines.js'

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
const barsMax = 8
/** The part of a line that is an edge between a bar and its neighbour. */
const edgeFrom = 0.85
/** How deep a bar is at most, as a part of the picture. */
const barMax = { top: 0.35, bottom: 0.2, left: 0.25, right: 0.25 }
/** The least gap between a figure and other content of a page, as a part of the page. */
const gapFrom = 0.025

export function boxesOf(picture: Grey): Boxes {
  const whole = wholeOf(picture)
  const content = trim(picture, whole)
  return {
    content,
    centre: trim(picture, rounded(partOf(whole, cropped, cropped, 1 - cropped, 1 - cropped))),
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

/** Removes the bars and borders of a window, then its margins. */
function framedIn(picture: Grey, content: Box): Box[] {
  let box = content
  for (let bars = 0; bars < barsMax; bars++) {
    const cut = withoutBar(picture, box)
    if (!cut) return bars === 0 ? [] : [box]
    box = trim(picture, cut)
    if (sides.filter((side) => box[side] !== cut[side]).length < 3) continue
    const block = largestBlock(picture, box, borderColour(picture, cut, 'top'))
    const inner = trim(picture, block)
    return [box, block, inner].filter((each, i, all) => !all.slice(i + 1).some(same(each)))
  }
  return [box]
}

function withoutBar(picture: Grey, box: Box): Box | undefined {
  for (const side of sides) {
    const deepest = Math.floor(depthOf(box, side) * barMax[side])
    for (let depth = 0; depth < deepest; depth++)
      if (edgeBelow(picture, box, side, depth) >= edgeFrom) return movedIn(box, side, depth + 1)
  }
  return undefined
}

/** The largest part of a page between gaps of its colour: alternately the tallest and the widest. */
function largestBlock(picture: Grey, page: Box, colour: number): Box {
  let box = page
  for (const side of ['top', 'left', 'top', 'left'] as const) {
    const [from, to] = longestRun(picture, box, side, colour)
    const opposite = side === 'top' ? 'bottom' : 'right'
    box = movedIn(movedIn(box, opposite, depthOf(box, side) - to), side, from)
  }
  return box
}

function longestRun(picture: Grey, box: Box, side: Side, colour: number): [number, number] {
  const depth = depthOf(box, side)
  const gap = Math.max(5, depth * gapFrom)
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

const same = (a: Box) => (b: Box) => sides.every((side) => Math.abs(a[side] - b[side]) <= 2)
