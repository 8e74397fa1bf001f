import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { CallRefused, type DevTools, type Params } from './devtools.js'

/** A document that Chromium prints, and all that it may load. */
export type Printed = {
  html: string
  /** The content security policy. */
  policy: string
  /** Files by the path with which the document names them. */
  pictures: Map<string, { file: string; type: string }>
}

export type PrintLimits = { bytesMax: number; pagesMax: number }

/** No such host can exist (RFC 2606). A page of `https` cannot load files. */
const origin = 'https://story.invalid'
const readBytes = 2 ** 20

/**
 * Prints the document into a file. Scripts are switched off, and every request is answered here: with the document, with
 * one of its pictures, or with a failure. Returns undefined, or which limit it exceeds.
 */
export async function printPage(
  devTools: DevTools,
  printed: Printed,
  file: string,
  { bytesMax, pagesMax }: PrintLimits,
): Promise<keyof PrintLimits | undefined> {
  const { targetId } = await devTools.send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await devTools.send('Target.attachToTarget', { targetId, flatten: true })
  const send = (method: string, params?: Params) => devTools.send(method, params, String(sessionId))
  /** One answer at a time, so that one picture is in memory. */
  let answered: Promise<unknown> = Promise.resolve()
  const loaded = new Promise<void>((resolve, reject) => {
    devTools.listen((method, params) => {
      if (method === 'Page.loadEventFired') resolve()
      if (method === 'Inspector.targetCrashed') reject(new Error('the page crashed'))
      if (method !== 'Fetch.requestPaused') return
      answered = answered.then(() => answer(params, printed, send)).catch(reject)
    })
  })
  await send('Emulation.setScriptExecutionDisabled', { value: true })
  await send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  await send('Page.enable')
  await Promise.all([loaded, send('Page.navigate', { url: `${origin}/` })])
  if (await hasPage(send, pagesMax + 1)) return 'pagesMax'
  const { stream } = await send('Page.printToPDF', {
    ...paper,
    printBackground: true,
    generateTaggedPDF: true,
    generateDocumentOutline: true,
    transferMode: 'ReturnAsStream',
  })
  let bytesLeft = bytesMax
  const bounded = async function* () {
    for await (const chunk of chunksOf(send, stream)) {
      bytesLeft -= chunk.length
      if (bytesLeft < 0) return
      yield chunk
    }
  }
  await pipeline(bounded, createWriteStream(file))
  return bytesLeft < 0 ? 'bytesMax' : undefined
}

const paper = { preferCSSPageSize: true }

/** Chromium does not tell how many pages there are, but refuses to print one that there is not. */
const hasPage = (send: DevTools['send'], number: number) =>
  send('Page.printToPDF', { ...paper, pageRanges: String(number) }).then(
    () => true,
    (error) => {
      if (error instanceof CallRefused) return false
      throw error
    },
  )

async function answer(
  { requestId, request }: Params,
  { html, policy, pictures }: Printed,
  send: DevTools['send'],
) {
  const { url, method } = request as { url: string; method: string }
  const path = method === 'GET' && url.startsWith(origin) ? url.slice(origin.length) : undefined
  const picture = pictures.get(path ?? '')
  if (path !== '/' && !picture) {
    // Another reason would make Chromium show an error page in place of the document, if it was a navigation.
    await send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    return
  }
  const body = picture ? await readFile(picture.file) : Buffer.from(html)
  const headers = {
    'content-type': picture ? picture.type : 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
  }
  await send('Fetch.fulfillRequest', {
    requestId,
    responseCode: 200,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: body.toString('base64'),
  })
}

async function* chunksOf(send: DevTools['send'], handle: unknown): AsyncGenerator<Buffer> {
  for (;;) {
    const part = await send('IO.read', { handle, size: readBytes })
    yield Buffer.from(String(part.data), part.base64Encoded ? 'base64' : 'utf8')
    if (part.eof) return
  }
}
