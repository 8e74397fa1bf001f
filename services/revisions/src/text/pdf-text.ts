import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { TextError } from './text-error.js'
import type { TextLimits } from './text-program.js'

/** The share of the timeout for reading pages. */
const readingShare = 0.5

/** The text of the pages, as many as the time and `textBytesMax` allow. */
export async function pdfText(
  bytes: Buffer,
  { textBytesMax, timeoutMs }: TextLimits,
): Promise<string> {
  const until = performance.now() + timeoutMs * readingShare
  // Imported here because it loads slowly, and most processes never need it.
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const task = getDocument({
    data: new Uint8Array(bytes),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
    // Character maps of Chinese, Japanese and Korean fonts.
    cMapUrl: join(folder, 'cmaps') + sep,
    cMapPacked: true,
  })
  try {
    const document = await task.promise
    let text = ''
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      const { items } = await page.getTextContent()
      for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '')
      text += '\n'
      page.cleanup()
      if (text.length > textBytesMax || performance.now() > until) break
    }
    return text
  } catch (cause) {
    throw new TextError('the document could not be parsed', { cause })
  } finally {
    await task.destroy()
  }
}
