import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openBrowser, withoutBrowser } from '@figbase/kit/testing/chromium'
import { bundle, exportedNames, runInDeno } from '../src/client-bundle.js'
import { deployment } from '../src/deployment.js'
import { signUp } from '../src/users.js'

/** Publishes a figure and reads its data back; gives its name, its hash and its bytes. */
async function program(given: string): Promise<string> {
  const { username, password } = await signUp()
  const credentials = JSON.stringify({ username, password })
  const { text } = await bundle(`
    import { createFigbase, download, list, publish } from '@figbase/client'
    async function run() {
      const figbase = createFigbase({ url: '${deployment.origin.origin}', credentials: ${credentials} })
      const figure = 'Climate/Temperatures/Means'
      const data = { name: 'large.bin', source: new Uint8Array(600000).fill(65) }
      const { api_id } = await publish(figbase, { figure, code: 'print(1)', data })
      const names = []
      for await (const { name } of list(figbase, '/figure/')) names.push(name)
      const revision = await figbase.get('/revision/{id}/', { path: { id: api_id } })
      const { body } = await download(figbase, revision.data[1].api_id)
      const text = await new Response(body).text()
      return names.join() + ' ' + text.length + ' ' + text.replaceAll('A', '')
    }
    ${given}`)
  return text
}

const published = 'Means 600000 '

test('the client works in Deno, with access to the network only', async () => {
  assert.equal(await runInDeno(await program('console.log(await run())')), published.trim())
})

test('the client works in a browser, from a page of another origin', {
  skip: withoutBrowser,
}, async () => {
  const script = await program('globalThis.done = run().catch(String)')
  const page =
    '<!doctype html><title>Client</title><script type="module" src="/client.js"></script>'
  const server = createServer(({ url }, response) => {
    const isScript = url === '/client.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await using browser = await openBrowser()
  try {
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    assert.equal(await browser.run(url, 'globalThis.done'), published)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('a program contains only what it uses of the client', async (t) => {
  const size = async (...names: string[]) => {
    const module = `import { ${names} } from '@figbase/client'; console.log(${names})`
    return (await bundle(module)).gzipBytes
  }
  const sizes = {
    all: await size(...(await exportedNames())),
    'plain calls': await size('createFigbase'),
    'lists and events': await size('createFigbase', 'list', 'events'),
    uploads: await size('createFigbase', 'upload'),
  }
  t.diagnostic(`bytes, minified and gzipped: ${JSON.stringify(sizes)}`)
  assert.ok(sizes.all < 20_000)
  assert.ok(sizes['plain calls'] < 3500)
  assert.ok(sizes['lists and events'] < 6500)
  assert.ok(sizes.uploads < 4500)
})
