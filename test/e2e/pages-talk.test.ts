import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, BrowserPage } from '@figbase/kit/testing'
import { newComment } from '../src/comments.js'
import { at, expectProtected, formTokenIn, ownOrigin, signInAt } from '../src/pages.js'
import { newFigure, newPlace, type Place } from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let browser: Browser
let place: Place
let figure: string

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
  figure = `/figure/${place.figure.api_id}/`
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`${figure.slice(1)}share/user/`, share, 200)
  browser = (await signInAt('/account/', alice)).browser
})

const commentsIn = ({ text }: BrowserPage) =>
  [...text.matchAll(/<li id="comment-([^"]+)".*?<div class="written"[^>]*>(.*?)<\/div>/gs)].map(
    ([, id = '', content = '']) => ({ id, content }),
  )

test('a comment is previewed, written, answered, edited and deleted', async () => {
  const shown = await browser.visit(at(figure))
  assert.ok(shown.text.includes(`href="${figure}comment/"`))
  const form = await browser.visit(at(`${figure}comment/`))
  const content = 'Is this *right*?\r\n<script>alert(1)</script>'
  const preview = await browser.submit(form, { content, action: 'preview' })
  assert.match(preview.text, /<em>right<\/em>/)
  assert.ok(preview.text.includes('Is this *right*?\n&lt;script&gt;'), 'what was typed is kept')
  assert.deepEqual(commentsIn(await browser.visit(at(figure))), [], 'a preview sends nothing')

  const sent = await browser.submit(preview, { content, action: 'send' })
  assert.match(sent.url.hash, /^#comment-/)
  const [first] = commentsIn(sent)
  assert.match(first?.content ?? '', /<em>right<\/em>/)
  assert.doesNotMatch(sent.text, /<script>alert/)

  const { browser: ofBob } = await signInAt('/account/', bob)
  const seen = await ofBob.visit(at(figure))
  const answer = `${figure}comment/?answer=${first?.id}`
  assert.ok(seen.text.includes(`href="${answer}" aria-label="Answer to ${alice.username}"`))
  assert.ok(!seen.text.includes(`${first?.id}/edit/`), 'only the author edits')
  const answering = await ofBob.visit(at(answer))
  assert.match(answering.text, /<blockquote><p class="words" dir="auto">Is this/)
  const answered = await ofBob.submit(answering, { content: 'Yes.', action: 'send' })
  assert.match(answered.text, new RegExp(`</strong> to <bdi>${alice.username}</bdi>`))

  const editing = await browser.visit(at(`${figure}comment/${first?.id}/edit/`))
  const edited = await browser.submit(editing, { content: 'It is **right**.', action: 'send' })
  assert.match(edited.text, /<strong>right<\/strong>/)
  const question = await browser.visit(at(`${figure}comment/${first?.id}/delete/`))
  assert.match(question.text, /<h1>Delete this comment\?<\/h1>/)
  const left = commentsIn(await browser.submit(question))
  assert.deepEqual(
    left.map((one) => one.content),
    ['<p>Yes.</p>\n'],
  )
})

test('an empty comment is an error on the page', async () => {
  const form = await browser.visit(at(`${figure}comment/`))
  const shown = await browser.submit(form, { content: '', action: 'send' })
  assert.equal(shown.status, 400)
  assert.match(shown.text, /role="alert">Please check the comment/)
})

test('only the author changes a comment, and only from a page of the session', async () => {
  const { id } = await newComment(alice.api, 'figure', place.figure.api_id, 'Mine')
  const path = `${figure}comment/${id}/edit/`
  const page = await browser.visit(at(path))
  await expectProtected({ browser, page }, path, { content: 'Forged' })
  const mallory = await signInAt('/account/', bob)
  for (const name of ['edit', 'delete']) {
    const body = new URLSearchParams({ form_token: formTokenIn(mallory.page), content: 'Forged' })
    const address = at(`${figure}comment/${id}/${name}/`)
    const answer = await mallory.browser.send(address, {
      method: 'POST',
      body,
      headers: ownOrigin,
    })
    assert.equal(answer.status, 403, name)
  }
  const stranger = await signInAt('/account/', await signUp())
  for (const address of [`${figure}comment/`, path]) {
    const { status, text } = await stranger.browser.visit(at(address))
    assert.equal(status, 403)
    assert.ok(!text.includes('Mine'))
  }
  assert.equal(
    (await browser.visit(at(`${figure}comment/${crypto.randomUUID()}/edit/`))).status,
    404,
  )
})

test('readers react to a comment, and take their reaction back', async () => {
  const { id } = await newComment(alice.api, 'figure', place.figure.api_id, 'Look')
  await bob.api.post('reaction/', { comment_id: id, emoji: '👀' })
  const path = `${figure}comment/${id}/react/`
  const page = await browser.visit(at(figure))
  assert.ok(page.text.includes(`aria-pressed="false" title="${bob.username}"`))
  assert.ok(page.text.includes(`aria-label="👀 1: ${bob.username}">👀 1</button>`))
  await expectProtected({ browser, page }, path, { emoji: '👍' })
  const react = async (values: Record<string, string>, who = { browser, page }) => {
    const body = new URLSearchParams({ form_token: formTokenIn(who.page), ...values })
    return who.browser.send(at(path), { method: 'POST', body, headers: ownOrigin })
  }
  const added = await react({ emoji: '👀' })
  assert.equal(added.headers.get('location'), `${figure}#comment-${id}`)
  const shown = (await browser.visit(at(figure))).text
  assert.ok(shown.includes(`title="${bob.username}, ${alice.username}"`))
  const [, own = ''] = /name="taken_back" value="([^"]+)" aria-pressed="true"/.exec(shown) ?? []
  const ofBob = await signInAt(figure.replace(/$/, 'comment/'), bob)
  assert.equal((await react({ taken_back: own }, ofBob)).status, 403)
  assert.equal((await react({ taken_back: own })).status, 303)
  assert.ok(!(await browser.visit(at(figure))).text.includes('taken_back'))
  const wrong = await react({ emoji: 'no emoji' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /role="alert">A reaction is one emoji/)
})

test('the people that a writer may mention are those whom they may see', async () => {
  const workspace = `workspace/${place.workspace.api_id}/members/add/`
  const member = await signUp()
  const viewer = { username: member.username, membership_type: 'viewer' }
  await alice.api.post(workspace, viewer, 200)
  const peopleFor = async (user: TestUser) => {
    const { browser } = await signInAt('/account/', user)
    const { status, text } = await browser.send(at(`${figure}comment/people/`))
    return { status, names: status === 200 ? (JSON.parse(text).usernames as string[]) : [] }
  }
  const all = [alice, bob, member].map(({ username }) => username).sort()
  assert.deepEqual((await peopleFor(alice)).names, all)
  // Bob is no member, so that he may list only the authors of comments.
  const { names } = await peopleFor(bob)
  assert.ok(names.includes(alice.username) && !names.includes(member.username))
  assert.equal((await peopleFor(await signUp())).status, 403)
})

test('all of many comments can be reached, page by page', async () => {
  const { api_id: id } = await newFigure(alice.api, place.analysis.api_id, 'Discussed')
  for (let n = 1; n <= 61; n++) await newComment(alice.api, 'figure', id, `Comment ${n}.`)
  const first = await browser.visit(at(`/figure/${id}/`))
  assert.equal(commentsIn(first).length, 60)
  const [, next = ''] = /<a rel="next" href="([^"]+#comments)"/.exec(first.text) ?? []
  const second = await browser.visit(at(next))
  assert.deepEqual(
    commentsIn(second).map(({ content }) => content),
    ['<p>Comment 61.</p>\n'],
  )
  assert.doesNotMatch(second.text, /rel="next"/)
})
