import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startChromium } from '../src/exports/pdf/chromium.js'
import { printPage } from '../src/exports/pdf/print-page.js'
import { found, withoutChromium } from './chromium.js'

/** What would happen if markup of an author reached Chromium: the renderer of Markdown already prevents it. */
const requests: string[] = []
const server = createServer(({ url = '' }, response) => {
  requests.push(url)
  response.end('GOT-IT-FROM-THE-SERVER')
})
let at = ''
let directory = ''
before(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  at = `127.0.0.1:${(server.address() as AddressInfo).port}`
  directory = await mkdtemp(join(tmpdir(), 'figbase-pdf-'))
  // Readable for the account of Chromium, so that only Chromium refuses it.
  await chmod(directory, 0o755)
  await writeFile(join(directory, 'secret.txt'), 'SECRET-OF-A-FILE', { mode: 0o644 })
})
after(async () => {
  server.close()
  await rm(directory, { recursive: true })
})

const closedPolicy = "default-src 'none'"
const openPolicy = "default-src * 'unsafe-inline' 'unsafe-eval' data: blob: file:"

async function textOfPrinted(body: string, policy: string): Promise<string> {
  assert.ok(typeof found !== 'string')
  const home = await mkdtemp(join(tmpdir(), 'figbase-pdf-home-'))
  if (found.account) await chown(home, found.account.uid, found.account.gid)
  const devTools = await startChromium(found, home)
  const file = join(directory, 'printed.pdf')
  const html = `<!doctype html><title>x</title><body>SHOWN ${body}</body>`
  const printed = { html, policy, pictures: new Map() }
  const limits = { bytesMax: 2 ** 24, pagesMax: 100 }
  assert.equal(await printPage(devTools, printed, file, limits), undefined)
  await devTools.send('Browser.close')
  await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  return (await promisify(execFile)('pdftotext', [file, '-'])).stdout
}

const markup = () => {
  const secret = `file://${directory}/secret.txt`
  const elsewhere = [
    `http://${at}/`,
    `http://localhost:${at.split(':')[1]}/`,
    secret,
    '/etc/passwd',
  ]
  return elsewhere
    .flatMap((url) => [
      `<iframe src="${url}" width="600" height="200"></iframe>`,
      `<embed src="${url}"><object data="${url}"></object>`,
      `<img src="${url}"><img srcset="${url} 2x">`,
      `<video src="${url}" poster="${url}"></video>`,
      `<link rel="stylesheet" href="${url}"><link rel="preload" as="image" href="${url}">`,
      `<link rel="prefetch" href="${url}"><link rel="preconnect" href="${url}">`,
      `<link rel="dns-prefetch" href="${url}">`,
      `<style>@import url("${url}"); body { background: url("${url}") }
        @font-face { font-family: f; src: url("${url}") } p { font-family: f }</style><p>x</p>`,
      `<svg><image href="${url}" width="9" height="9"/><use href="${url}#a"/></svg>`,
      `<svg><foreignObject width="99" height="99"><iframe src="${url}"></iframe></foreignObject></svg>`,
      `<script src="${url}"></script>`,
      `<meta http-equiv="refresh" content="0; url=${url}">`,
    ])
    .concat([
      `<script>document.body.append('A-SCRIPT-RAN'); fetch('http://${at}/s')
        new WebSocket('ws://${at}/w'); navigator.sendBeacon('http://${at}/b')</script>`,
      `<img src=x onerror="document.body.append('A-SCRIPT-RAN')">`,
      `<svg onload="document.body.append('A-SCRIPT-RAN')"></svg>`,
      `<iframe srcdoc="<script>parent.document.body.append('A-SCRIPT-RAN')</script>"></iframe>`,
      `<iframe src="javascript:parent.document.body.append('A-SCRIPT-RAN')"></iframe>`,
    ])
    .join('\n')
}

for (const [name, policy] of [
  ['', closedPolicy],
  [' even if the policy permitted it', openPolicy],
] as const) {
  test(`a printed document reaches no server, no file and runs no script${name}`, {
    skip: withoutChromium,
  }, async () => {
    const text = await textOfPrinted(markup(), policy)
    assert.ok(text.includes('SHOWN'), text)
    for (const part of ['SECRET', 'root:', 'GOT-IT', 'A-SCRIPT-RAN']) {
      assert.ok(!text.includes(part), text)
    }
    assert.deepEqual(requests, [])
  })
}

test('the server of these tests counts requests', async () => {
  await fetch(`http://${at}/counted`)
  assert.deepEqual(requests.splice(0), ['/counted'])
})
