import { createWriteStream } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import pptx from 'pptxgenjs'
import { type Block, blocksOf } from './blocks.js'
import { fitBlocks } from './fit-blocks.js'
import { completed, placeholderOf } from './pptx-archive.js'
import { addBlocks, printable } from './pptx-blocks.js'
import { createPictures, type Pictures, type SizedPicture } from './pptx-pictures.js'

/** The program of a child process that makes one PPTX after the other. The library holds all texts in memory. */
export type PptxOptions = { memoryBytesMax: number }
export type PptxRequest = { title: string; slides: PptxSlide[]; file: string }
export type PptxSlide = {
  /** Markdown. */
  content: string
  absence: string | undefined
  figure: PptxFigure | undefined
}
export type PptxFigure = {
  name: string
  /** The path of a PNG or a JPEG. */
  picture: string | undefined
  /** The path of an untrusted SVG of the same picture. */
  drawing: string | undefined
  /** One line each. */
  origin: string[]
  link: string | undefined
}
export type PptxReply = { isMade: boolean }

/** The slide in inches, 16:9. */
const page = { w: 13.333, h: 7.5, margin: 0.5 }
const width = page.w - 2 * page.margin
const gap = 0.1
const originHeight = 0.8
const originCharsMax = 150
const textOfFigure = { w: width, h: 2.4, scale: 0.7 }
const originStyle = { fontSize: 10, color: '595959' }

// Its types describe a CommonJS module, but Node.js loads its ES module.
const PptxGenJS = pptx as unknown as typeof pptx.default
type Deck = InstanceType<typeof PptxGenJS>
type DeckSlide = ReturnType<Deck['addSlide']>

const { memoryBytesMax } = optionsOfParent<PptxOptions>()

answerParent<PptxRequest, PptxReply>(memoryBytesMax, async ({ title, slides, file }) => {
  const deck = new PptxGenJS()
  deck.layout = 'LAYOUT_WIDE'
  deck.title = printable(title)
  for (const name of ['author', 'company', 'subject'] as const) deck[name] = ''
  const pictures = createPictures(dirname(file))
  for (const slide of slides) await addSlide(deck, slide, pictures)
  if (slides.length === 0) addText(deck.addSlide(), [titleBlock(title)])
  const archive = await deck.write({ outputType: 'nodebuffer' })
  await pipeline(completed(archive as Buffer), createWriteStream(file))
  return { isMade: true }
})

const titleBlock = (text: string): Block => ({
  paragraphs: [{ runs: [{ text }], kind: 'title' }],
})

async function addSlide(deck: Deck, { content, absence, figure }: PptxSlide, pictures: Pictures) {
  const slide = deck.addSlide()
  const blocks = blocksOf(content)
  if (absence) {
    blocks.unshift({ paragraphs: [{ runs: [{ text: absence, italic: true }], kind: 'text' }] })
  }
  if (!figure) return addText(slide, blocks)
  const bottom = page.h - page.margin - originHeight - gap
  const place = await pictures.of(figure)
  if (place) {
    const fitted = fitBlocks(blocks, textOfFigure, textOfFigure.scale)
    const textTop = bottom - Math.min(fitted.h, textOfFigure.h)
    addBlocks(slide, fitted, { x: page.margin, y: textTop, w: width })
    addPicture(slide, place, textTop - gap - page.margin, figure.name)
  } else addText(slide, blocks, bottom)
  await addOrigin(slide, figure, pictures)
  slide.addNotes(printable([...figure.origin, figure.link ?? ''].join('\n').trim()))
}

/** In the middle of a slide. */
function addText(slide: DeckSlide, blocks: Block[], bottom = page.h - page.margin) {
  const h = bottom - page.margin
  const fitted = fitBlocks(blocks, { w: width, h })
  const y = page.margin + Math.max(0, (h - fitted.h) / 2)
  addBlocks(slide, fitted, { x: page.margin, y, w: width })
}

function addPicture(slide: DeckSlide, picture: SizedPicture, height: number, name: string) {
  const scale = Math.min(width / picture.width, height / picture.height)
  const [w, h] = [picture.width * scale, picture.height * scale]
  const place = { x: (page.w - w) / 2, y: page.margin + (height - h) / 2, w, h }
  slide.addImage({ data: placeholderOf(picture), ...place, altText: printable(name) })
}

/** Where the figure comes from, and its link as a QR code, at the bottom of a slide. */
async function addOrigin(slide: DeckSlide, { origin, link }: PptxFigure, pictures: Pictures) {
  const y = page.h - page.margin - originHeight
  const x = page.w - page.margin - originHeight
  const hyperlink = link ? { hyperlink: { url: link } } : {}
  const lines = origin.map((line, i) => ({
    text: printable(line.length > originCharsMax ? `${line.slice(0, originCharsMax)}…` : line),
    options: { ...originStyle, breakLine: true, ...(i === 0 && hyperlink) },
  }))
  const box = { x: page.margin, y, w: width - originHeight - gap, h: originHeight }
  slide.addText(lines, { ...box, valign: 'bottom' })
  if (!link) return
  const data = placeholderOf({ path: await pictures.qrCodeOf(link) })
  slide.addImage({ data, x, y, w: originHeight, h: originHeight, altText: link, ...hyperlink })
}
