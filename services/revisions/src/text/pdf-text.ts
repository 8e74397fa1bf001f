import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { TextError } from './text-error.js'
import type { TextLimits } from './text-program.js'

/** So much of the time is for reading pages. */
const readingShare = 0.5

/** The texts of the pages, as many as there is time and room for. */
export async function pdfText(
  bytes: Buffer,
  { textBytesMax, timeoutMs }: TextLimits,
): Promise<string> {
  const until = performance.now() + timeoutMs * readingShare
  // It takes a while to load, and most processes need it never.
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
    // What characters of fonts for Chinese, Japanese and Korean are.
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
    throw new TextError('the document cannot be read', { cause })
  } finally {
    await task.destroy()
  }
}
