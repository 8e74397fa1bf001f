import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Browser, openBrowser, withoutBrowser } from '@figbase/kit/testing/chromium'
import { deployment } from '../src/deployment.js'
import { png } from '../src/images.js'
import { code, file, image, newFigure, newPlace, publish } from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'

const skip = withoutBrowser
const wide = 'A_name_without_any_space_'.repeat(12)
let browser: Browser
let alice: TestUser
let paths: string[]

before(async () => {
  if (skip) return
  browser = await openBrowser()
  alice = await signUp()
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const named = await newFigure(alice.api, analysis.api_id, wide)
  const line = `plot("${'wide '.repeat(200)}")</code></pre><script>document.title = 'run'</script>`
  const data = [image(png(800, 500)), code(Buffer.from(line)), file(Buffer.alloc(9), `${wide}.bin`)]
  const more = { description: `${wide} <img src=x onerror="document.title = 'run'">` }
  const { api_id } = await publish(alice.api, named.api_id, data, more)
  await publish(alice.api, figure.api_id, [image(png(300, 600))])
  await alice.api.post(`analysis/${analysis.api_id}/share/link/`, { enabled: true }, 200)
  paths = [
    `/r/${api_id}`,
    `/figure/${named.api_id}`,
    `/analysis/${analysis.api_id}`,
    `/workspace/${workspace.api_id}`,
    '/invitations/workspace/x',
    '/password-reset/',
    '/password-reset/sent/',
    '/password-reset/x/',
    '/password-reset/done/',
    '/verify-email/x/',
    '/verify-email/done/',
    '/docs/',
    '/docs/account',
    '/docs/all',
    '/docs/api/',
    '/figure/x',
  ]
})
after(() => browser?.[Symbol.asyncDispose]())

test('pages cause no browser errors, and are not wider than a small phone', {
  skip,
}, async () => {
  for (const path of paths) {
    for (const authorization of [undefined, alice.api.authorization]) {
      const url = new URL(path, deployment.origin)
      const visit = await browser.visit(url, { width: 360, height: 740, authorization })
      // The error status of the page itself is expected.
      const faults = visit.problems.filter((problem) => !problem.includes(`"url":"${url.href}"`))
      assert.deepEqual(faults, [], path)
      assert.ok(visit.scrollWidth <= 360, `${path} is ${visit.scrollWidth} pixels wide`)
    }
  }
})

test('shows pictures to users with the link and to users with credentials', {
  skip,
}, async () => {
  const [revision = '', figure = '', analysis = ''] = paths
  for (const [path, pictures] of [
    [revision, 1],
    [figure, 2],
    [analysis, 2],
  ] as const) {
    for (const authorization of [undefined, alice.api.authorization]) {
      const url = new URL(path, deployment.origin)
      const visit = await browser.visit(url, { width: 1280, height: 900, authorization })
      assert.equal(visit.pictures, pictures, path)
    }
  }
})

test('supports dark mode', { skip }, async () => {
  const url = new URL(paths[0] ?? '', deployment.origin)
  const window = { width: 800, height: 600 }
  const light = await browser.visit(url, window)
  const dark = await browser.visit(url, { ...window, isDark: true })
  assert.equal(light.background, 'rgb(243, 245, 248)')
  assert.equal(dark.background, 'rgb(17, 22, 28)')
})
