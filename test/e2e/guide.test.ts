import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployment } from '../src/deployment.js'

const open = (path: string) => fetch(new URL(path, deployment.origin), { redirect: 'manual' })

test('serves the guide without sign-in, and every link within it leads to a page or a heading', async () => {
  const seen = new Map<string, string>()
  const waiting = ['/docs/']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const answer = await open(path)
    assert.equal(answer.status, 200, path)
    const type = answer.headers.get('content-type') ?? ''
    if (type === 'image/png' || path.startsWith('/docs/api/assets/')) continue
    assert.equal(type, 'text/html; charset=utf-8')
    assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none';/)
    const text = await answer.text()
    seen.set(path, text)
    const links = [...text.matchAll(/(?:href|src)="(\/docs\/[^"#]*)/g)].map(([, link = '']) => link)
    for (const link of links) if (!seen.has(link) && !waiting.includes(link)) waiting.push(link)
  }
  for (const [path, text] of seen) {
    for (const [, page, anchor] of text.matchAll(/href="(\/docs\/[^"#]*)?#([^"]+)"/g)) {
      const there = seen.get(page ?? path) ?? ''
      assert.ok(there.includes(` id="${anchor}"`), `${path} links to ${page ?? ''}#${anchor}`)
    }
  }
  assert.ok(seen.has('/docs/all'))
  assert.ok(seen.size > 15, `${seen.size} pages`)
})

test('refuses unknown pages of the guide with 404', async () => {
  for (const path of ['/docs/unknown', '/docs/images/unknown.png', '/docs/..%2fpackage.json']) {
    assert.equal((await open(path)).status, 404, path)
  }
})
