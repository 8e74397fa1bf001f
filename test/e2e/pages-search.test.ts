import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { waitForRevision } from '@figbase/client'
import { type Browser, createBrowser } from '@figbase/kit/testing'
import { openBrowser, withoutBrowser } from '@figbase/kit/testing/chromium'
import { png } from '../src/images.js'
import { at, expectProtected, formTokenIn, ownOrigin, signInAt } from '../src/pages.js'
import { image, newFigure, newPlace, newWorkspace, type Place, publish } from '../src/publish.js'
import { newWord } from '../src/search.js'
import { signUp, type TestUser } from '../src/users.js'

const hostile = '<img src=x onerror=alert(1)>'
const escaped = '&lt;img src=x onerror=alert(1)&gt;'
const word = newWord()
const picture = png(90, 70)

let alice: TestUser
let browser: Browser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
  browser = (await signInAt('/account/', alice)).browser
  for (const name of [`${word} ${hostile}`, `${word} of spring`]) {
    const figure = await newFigure(alice.api, place.analysis.api_id, name)
    const { api_id } = await publish(alice.api, figure.api_id, [image(picture)])
    await waitForRevision(alice.figbase, api_id, { indexed: true })
  }
})

const visit = (path: string) => browser.visit(at(path))
const countIn = ({ text }: { text: string }) => /role="status">(.*?)</.exec(text)?.[1]

test('search finds by words, and escapes what it shows', async () => {
  const shown = await visit(`/search/?q=${word}`)
  assert.match(countIn(shown) ?? '', /^\d+ results?$/)
  assert.match(shown.text, new RegExp(`href="/figure/[^"]+"><bdi>${word}`))
  assert.doesNotMatch(shown.text, /<img src=x/)
  assert.equal(countIn(await visit('/search/?q=vkjvkjvkjvkj')), 'Nothing was found.')
  const other = newWord()
  assert.equal(countIn(await visit(`/search/?q=${word}+${other}`)), 'Nothing was found.')
  assert.match(countIn(await visit(`/search/?q=${word}+${other}&by=any`)) ?? '', /result/)
})

test('filters are kept, and each can be removed', async () => {
  const { api_id: other } = await newWorkspace(alice.api, 'Elsewhere')
  const inOther = `/search/?q=${word}&by=any&workspace=${other}`
  const shown = await visit(inOther)
  assert.equal(countIn(shown), 'Nothing was found.')
  assert.ok(shown.text.includes(`<option value="${other}" selected="">Elsewhere</option>`))
  const chips = [...shown.text.matchAll(/<li><a href="(\/search[^"]+)">/g)].map(([, href]) => href)
  assert.deepEqual(chips, [
    `/search/?q=${word}&amp;by=any`,
    `/search/?q=${word}&amp;workspace=${other}`,
  ])
  const inWorkspace = await visit(`/search/?q=${word}&workspace=${place.workspace.api_id}`)
  assert.match(countIn(inWorkspace) ?? '', /^\d+ results?$/)
  assert.equal((await visit(`/search/?q=${word}&workspace=x`)).status, 400)
})

test('revisions are found by their metadata, from the page of one, in an analysis and by kind', async () => {
  const { analysis, figure } = await newPlace(alice.api)
  const metadata = { instrument: hostile, camera: { gain: 2, mode: null } }
  const { api_id } = await publish(alice.api, figure.api_id, [image(picture)], { metadata })
  await waitForRevision(alice.figbase, api_id, { indexed: true })
  const links = [
    '/search/?meta=instrument%3D%3Cimg+src%3Dx+onerror%3Dalert%281%29%3E',
    '/search/?meta=camera.gain%3D2',
  ]
  const { text } = await visit(`/r/${api_id}/`)
  const linked = [...text.matchAll(/href="(\/search\/\?meta=[^"]+)"/g)].map(([, href]) => href)
  assert.deepEqual(linked, links)
  for (const link of links) {
    const found = await visit(link)
    assert.equal(countIn(found), '1 result')
    assert.ok(found.text.includes(`href="/revision/${api_id}/"`) && found.text.includes('chips'))
    assert.doesNotMatch(found.text, /<img src=x/)
  }
  const here = `/search/?meta=camera.gain%3D2&analysis=${analysis.api_id}`
  const shown = await visit(here)
  assert.equal(countIn(shown), '1 result')
  const chips = [...shown.text.matchAll(/<li><a href="(\/search[^"]+)">/g)].map(([, href]) => href)
  assert.deepEqual(chips, ['/search/?meta=camera.gain%3D2', `/search/?analysis=${analysis.api_id}`])
  const elsewhere = `/search/?meta=camera.gain%3D2&analysis=${place.analysis.api_id}`
  assert.equal(countIn(await visit(elsewhere)), 'Nothing was found.')
  const both = await visit(`${links[1]}&meta=instrument%3Dother`)
  assert.equal(countIn(both), 'Nothing was found.')
  assert.equal(countIn(await visit(`${here}&kind=revision`)), '1 result')
  const figures = await visit(`${here}&kind=figure`)
  assert.equal(countIn(figures), 'Nothing was found.')
  assert.match(figures.text, /<option value="figure" selected="">Figure</)
  for (const wrong of ['meta=gain', 'meta=%3D2', 'meta=a%3Db&by=meaning&q=x', 'q=x&analysis=x']) {
    assert.equal((await visit(`/search/?${wrong}`)).status, 400, wrong)
  }
  const list = await visit(`/analysis/${analysis.api_id}/?list=figure`)
  assert.ok(list.text.includes(`href="/search/?analysis=${analysis.api_id}"`))
  await alice.api.post(`analysis/${analysis.api_id}/share/link/`, { enabled: true }, 200)
  const anonymous = await createBrowser().visit(at(`/r/${api_id}/`))
  assert.doesNotMatch(anonymous.text, /href="\/search\/\?meta/)
})

test('search shows only stale figures, which a link removes', async () => {
  const shown = await visit(`/search/?q=${word}&stale=1`)
  assert.equal(countIn(shown), 'Nothing was found.')
  assert.match(shown.text, /name="stale" value="1" checked=""/)
  assert.ok(shown.text.includes(`<li><a href="/search/?q=${word}">`))
  assert.equal((await visit(`/search/?q=${word}&stale=1&by=meaning`)).status, 400)
})

test('more results are one link away, with the same filters', async () => {
  const path = `/search/?q=${word}&workspace=${place.workspace.api_id}`
  const { text } = await visit(`${path}&count=1`)
  const [, more = ''] = /<a href="([^"]+)">More results</.exec(text) ?? []
  assert.equal(more.replaceAll('&amp;', '&'), `${path}&count=2`)
  assert.equal(countIn(await visit(`${path}&count=2`)), '2 results')
  assert.doesNotMatch((await visit(path)).text, /More results/)
})

const send = (form_token: string, bytes: Uint8Array, workspace = '') => {
  const body = new FormData()
  body.set('form_token', form_token)
  body.set('workspace', workspace)
  body.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'screenshot.png')
  return browser.send(at('/search/picture/'), { method: 'POST', body, headers: ownOrigin })
}

test('search finds by a picture, also in one workspace', async () => {
  const form = await visit('/search/')
  const token = formTokenIn(form)
  const found = await send(token, picture)
  assert.equal(found.status, 200)
  assert.ok(found.text.includes(`${escaped}</bdi>`), 'the revision with the name of its figure')
  const { api_id: empty } = await newWorkspace(alice.api)
  assert.equal(countIn(await send(token, picture, empty)), 'Nothing was found.')
  const refused = await send(token, Buffer.from('no picture'))
  assert.equal(refused.status, 400)
  assert.match(refused.text, /role="alert">This picture cannot be read/)
  await expectProtected({ browser, page: form }, '/search/picture/')
})

test('a picture is searched for when it is pasted or dropped', {
  skip: withoutBrowser,
}, async () => {
  await using chromium = await openBrowser()
  await chromium.use(async (person) => {
    await person.go(at('/sign-in/?next=/search/'))
    await person.fill({ username: alice.username, password: alice.password })
    await person.click('main form button')
    const bytes = JSON.stringify([...picture])
    for (const [event, type, member] of [
      ['paste', 'ClipboardEvent', 'clipboardData'],
      ['drop', 'DragEvent', 'dataTransfer'],
    ]) {
      await person.go(at('/search/'))
      await person.read(`(() => {
        const files = new DataTransfer()
        files.items.add(new File([new Uint8Array(${bytes})], 'a.png', { type: 'image/png' }))
        const button = document.createElement('button')
        button.id = 'test'
        button.addEventListener('click', () => document.body.dispatchEvent(
          new ${type}('${event}', { bubbles: true, cancelable: true, ${member}: files })))
        document.querySelector('h1').append(button)
      })()`)
      await person.click('#test')
      const shown = await person.read('document.querySelector("main").textContent')
      assert.match(String(shown), new RegExp(word), event)
    }
    assert.deepEqual(person.problems, [])
  })
})
