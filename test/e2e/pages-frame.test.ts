import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createBrowser } from '@figbase/kit/testing'
import { openBrowser, withoutBrowser } from '@figbase/kit/testing/chromium'
import { deployment } from '../src/deployment.js'
import { newPlace, publish } from '../src/publish.js'
import type { Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

const hostile = `<script>alert(1)</script>'"`
const scriptBytesMax = 30_000

let alice: TestUser
let revision: Revision

before(async () => {
  alice = await signUp()
  const { figure } = await newPlace(alice.api)
  await alice.api.patch(`figure/${figure.api_id}/`, { name: hostile })
  revision = await publish(alice.api, figure.api_id, [])
  await alice.api.post(`figure/${figure.api_id}/share/link/`, { enabled: true }, 200)
})

async function open(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(new URL(path, deployment.origin), { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }

test('a page is in the language of the browser, and names of users are escaped in it', async () => {
  const path = `/r/${revision.api_id}`
  for (const [language, words] of [
    ['de', /Diese Revision hat kein Bild\./],
    ['fr', /Cette révision n’a pas d’image\./],
    ['it', /This revision has no picture\./],
  ] as const) {
    const { headers, text } = await open(path, { 'accept-language': language })
    const shown = language === 'it' ? 'en' : language
    assert.equal(headers.get('content-language'), shown)
    assert.match(headers.get('vary') ?? '', /accept-language/i)
    assert.match(text, new RegExp(`<html lang="${shown}(-GB)?">`))
    assert.match(text, words)
    assert.doesNotMatch(text, /<script>/)
    const name = '&lt;script&gt;alert(1)&lt;/script&gt;&#39;&quot;'
    assert.ok(text.includes(`<title>${name}, `) && text.includes(`<h1><bdi>${name}</bdi></h1>`))
  }
})

test('errors are in the language of the browser, also those of forms', async () => {
  assert.match((await open('/figure/x', german)).text, /<h1>Seite nicht gefunden<\/h1>/)
  const failed = await fetch(new URL('/password-reset/x/', deployment.origin), {
    method: 'POST',
    headers: { ...german, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ password: 'a long password of mine' }),
  })
  assert.equal(failed.status, 400)
  assert.match(await failed.text(), /role="alert">Dieser Link ist ungültig/)
})

test('the guide stays English in a frame in the language of the browser', async () => {
  const { text } = await open('/docs/concepts', german)
  assert.match(
    text,
    /<html lang="de-AT">[\s\S]*>Handbuch<[\s\S]*<article class="written" lang="en">/,
  )
})

test('an unknown address is a page for a browser, and JSON for a program', async () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const page = await open('/nowhere/', { accept: browser, ...german })
  assert.equal(page.status, 404)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/)
  assert.match(page.text, /<h1>Seite nicht gefunden<\/h1>/)
  for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', '']) {
    const { status, headers, text } = await open('/nowhere/', { accept })
    assert.equal(status, 404)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    assert.deepEqual(JSON.parse(text), { error: 'not_found', detail: 'page not found' })
  }
  const problem = await open('/nowhere/', { accept: 'application/problem+json' })
  assert.equal(problem.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  const inApi = await open('/api/v1/nowhere/', { accept: browser })
  assert.match(inApi.headers.get('content-type') ?? '', /^application\/json/)
})

test('the header shows who is signed in, on pages for everybody and on errors, too', async () => {
  const anonymous = await open(`/r/${revision.api_id}`)
  assert.ok(anonymous.text.includes(`href="/sign-in/?next=%2Fr%2F${revision.api_id}">Sign in</a>`))
  const visitor = createBrowser()
  const { username, password } = alice
  await visitor.submit(await visitor.visit(new URL('/sign-in/', deployment.origin)), {
    username,
    password,
  })
  for (const path of ['/docs/', '/password-reset/', '/figure/x', '/nowhere']) {
    const { text, headers } = await visitor.send(new URL(path, deployment.origin), {
      headers: { accept: 'text/html' },
    })
    assert.ok(text.includes(`<a href="/account/"><bdi>${username}</bdi></a></nav></header>`), path)
    assert.equal(headers.get('cache-control'), 'private, no-store', path)
  }
})

test('the script of the pages is small, and may be cached for ever', async () => {
  const { text } = await open('/docs/')
  const [, path = ''] = /<script src="([^"]+)" defer>/.exec(text) ?? []
  const script = await open(path)
  assert.equal(script.status, 200)
  assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const bytes = gzipSync(script.text).length
  assert.ok(bytes < scriptBytesMax, `${bytes} bytes with gzip`)
  assert.equal((await open(path.replace(/-\w/, '-x'))).status, 404)
})

test('times are in UTC, and in the zone and the form of the reader with the script', {
  skip: withoutBrowser,
}, async () => {
  await using browser = await openBrowser()
  const url = new URL(`/r/${revision.api_id}`, deployment.origin)
  const { text } = await open(url.pathname, { 'accept-language': 'de' })
  const [, sent = ''] = /<time [^>]*>([^<]+)<\/time>/.exec(text) ?? []
  assert.match(sent, /^\d+\. \S+ \d{4} um \d\d:\d\d UTC$/)
  for (const [languages, timeZone] of [
    ['de-AT', 'Asia/Tokyo'],
    ['fr', 'America/St_Johns'],
    ['en-US,en', 'Europe/Berlin'],
    ['en', 'Europe/Berlin'],
  ] as const) {
    await browser.use(async (person) => {
      await person.move({ languages, timeZone })
      await person.go(url)
      const [tag = ''] = languages.split(',')
      const locale = tag === 'en' ? 'en-GB' : tag
      const format = { dateStyle: 'long', timeStyle: 'short', timeZone } as const
      const expected = new Date(revision.created_on).toLocaleString(locale, format)
      assert.equal(await person.read(`document.querySelector('time').innerText`), expected)
      assert.match(String(await person.read(`document.querySelector('time').title`)), / UTC$/)
      assert.deepEqual(person.problems, [])
    })
  }
})
