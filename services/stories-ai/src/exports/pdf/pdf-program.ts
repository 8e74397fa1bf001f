import { dirname } from 'node:path'
import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import type { FigureFiles } from '../stored-slides.js'
import { type Chromium, NotStarted, startChromium } from './chromium.js'
import { type DocumentSlide, documentOf } from './document.js'
import { watchMemory } from './group-memory.js'
import { createPagePictures, type PagePicture } from './pdf-pictures.js'
import { type PrintLimits, printPage } from './print-page.js'

/** The program of a child process that makes one PDF after the other, each with a Chromium of its own. */
export type PdfOptions = {
  memoryBytesMax: number
  chromiumBytesMax: number
  chromium: Chromium
  limits: PrintLimits
}
export type PdfRequest = {
  title: string
  slides: (Omit<DocumentSlide, 'picture'> & { files: FigureFiles })[]
  file: string
  /** An empty directory, which belongs to the account of Chromium. */
  home: string
}
export type PdfReply = { problem: 'not started' | keyof PrintLimits | undefined; detail: string }

type DocumentPicture = PagePicture & { path: string }

const { memoryBytesMax, chromiumBytesMax, chromium, limits } = optionsOfParent<PdfOptions>()

answerParent<PdfRequest, PdfReply>(memoryBytesMax, async ({ title, slides, file, home }) => {
  const pictures = await picturesOf(slides, dirname(file))
  const shown = slides.map(({ files, ...slide }) => ({
    ...slide,
    picture: pictures.get(files.picture),
  }))
  const { html, policy } = await documentOf(title, shown)
  const byPath = new Map([...pictures.values()].map((picture) => [picture.path, picture]))
  const watch = watchMemory(chromiumBytesMax)
  try {
    const devTools = await startChromium(chromium, home)
    const problem = await printPage(devTools, { html, policy, pictures: byPath }, file, limits)
    await devTools.send('Browser.close')
    return { problem, detail: '' }
  } catch (error) {
    if (error instanceof NotStarted) return { problem: 'not started', detail: error.message }
    throw error
  } finally {
    watch.end()
  }
})

/** By the file of each. One is made after the other, because each is decoded in memory. */
async function picturesOf(slides: PdfRequest['slides'], directory: string) {
  const pictures = createPagePictures(directory)
  const made = new Map<string | undefined, DocumentPicture>()
  for (const { files } of slides) {
    const picture = made.has(files.picture) ? undefined : await pictures.of(files)
    if (picture) made.set(files.picture, { ...picture, path: `/pictures/${made.size + 1}` })
  }
  return made
}
