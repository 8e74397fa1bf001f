import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BrowserPage, createBrowser } from '@figbase/kit/testing'
import { until } from './support/launched.js'
import { NotebookProduct, notebookPassword, withoutNotebooks } from './support/notebook-product.js'

const stateIn = ({ text }: BrowserPage) => /class="mark">([^<]+)</.exec(text)?.[1]

test('a notebook is launched, opened, stopped, changed and deleted on pages', {
  skip: withoutNotebooks,
}, async () => {
  await using product = await NotebookProduct.start({ COMPUTE_TIERS: 'tiny:1:1, small:1:2' })
  const browser = createBrowser()
  const at = (path: string) => new URL(path, product.url)
  const list = `/workspace/${product.workspace}/notebooks/`
  const signIn = await browser.visit(at(`/sign-in/?next=${list}`))
  const empty = await browser.submit(signIn, { username: 'ann', password: notebookPassword })
  assert.match(empty.text, /No notebooks yet/)
  const workspace = await browser.visit(at(`/workspace/${product.workspace}/`))
  assert.ok(workspace.text.includes(`href="${list}"`))

  for (const [volume, problem] of [
    ['x', /role="alert">Enter a size/],
    ['1', /role="alert">Please check the name/],
  ] as const) {
    const name = volume === '1' ? '' : '<b>Cells</b>'
    const refused = await browser.submit(empty, { name, tier: 'tiny', volume })
    assert.equal(refused.status, 400)
    assert.match(refused.text, problem)
  }
  const launched = { name: '<b>Cells</b>', tier: 'tiny', volume: '1' }
  let page = await browser.submit(empty, launched)
  const { url } = page
  const reach = (state: string) =>
    until(async () => {
      page = await browser.visit(url)
      return stateIn(page) === state
    }, state)
  await reach('running')
  assert.ok(page.text.includes('<h1><bdi>&lt;b&gt;Cells&lt;/b&gt;</bdi></h1>'))
  const opened = await browser.send(new URL('open/', url))
  assert.equal(opened.status, 303)
  assert.match(opened.headers.get('location') ?? '', /\/open\/\?ticket=/)

  page = await browser.submit(page, { action: 'stop' })
  await reach('stopped')
  assert.equal((await browser.send(new URL('open/', url))).status, 409)
  page = await browser.submit(page, { action: 'tier', tier: 'small' })
  assert.match(page.text, /Small, 1 GB for files/)
  page = await browser.submit(page, { action: 'save', name: 'Renamed', idle: 'on', minutes: '30' })
  assert.match(page.text, /<bdi>Renamed<\/bdi>.*name="minutes" value="30"/s)
  assert.equal(
    (await browser.submit(page, { action: 'save', name: '', minutes: '30' })).status,
    400,
  )
  page = await browser.submit(page, { action: 'start' })
  assert.equal(stateIn(page), 'starting')
  assert.equal(page.headers.get('refresh'), '3')

  const own = await browser.visit(at('/notebooks/'))
  assert.ok(own.text.includes(`href="${url.pathname}"`) && own.text.includes(`href="${list}"`))
  const question = await browser.visit(new URL('terminate/', url))
  assert.match(question.text, /<h1>Delete the notebook <bdi>Renamed/)
  const ended = await browser.submit(question)
  assert.equal(ended.url.pathname, list)
  await until(
    async () => !(await browser.visit(at('/notebooks/'))).text.includes(url.pathname),
    'the end',
  )
})
