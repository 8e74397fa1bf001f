import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import type { Browser } from '@figbase/kit/testing'
import { openBrowser, withoutBrowser } from '@figbase/kit/testing/chromium'
import { modelRequests, scriptModel, withoutAi } from '../src/ai.js'
import { png } from '../src/images.js'
import { at, expectProtected, formTokenIn, ownOrigin, signInAt } from '../src/pages.js'
import { code, image, newPlace, publish } from '../src/publish.js'
import { until } from '../src/tasks.js'
import { signUp, type TestUser } from '../src/users.js'

const skip = withoutAi
const hostile = '**Warm** <img src=x onerror=alert(1)> [x](javascript:alert(1))'

let alice: TestUser
let browser: Browser
let figure: string
let older: string
let path: string

before(async () => {
  if (skip) return
  alice = await signUp()
  browser = (await signInAt('/account/', alice)).browser
  figure = (await newPlace(alice.api)).figure.api_id
  older = (await publish(alice.api, figure, [image(png(50, 40))])).api_id
  const { api_id } = await publish(alice.api, figure, [image(png(60, 40))])
  path = `/revision/${api_id}/ask/`
})

test('a question is answered in one page, without script', { skip }, async () => {
  const shown = await browser.visit(at(path.replace('ask/', '')))
  assert.ok(shown.text.includes(`href="${path}"`))
  const prompt = `Why ${randomUUID()}?`
  await scriptModel(prompt, { text: hostile })
  const answered = await browser.submit(await browser.visit(at(path)), { prompt })
  assert.equal(answered.status, 200)
  assert.match(answered.text, /<strong>Warm<\/strong>/)
  assert.doesNotMatch(answered.text, /<img src=x|href="javascript:/)
  assert.ok(answered.text.includes(`${prompt}</textarea>`))
  assert.match(answered.text, /Written by the language model small/)
})

test('AI compares two revisions', { skip }, async () => {
  const [, , revision] = path.split('/')
  const compare = `/figure/${figure}/compare/?from=${older}&to=${revision}`
  const { text } = await browser.visit(at(compare))
  assert.ok(text.includes(`href="${path}?with=${older}"`))
  const form = await browser.visit(at(`${path}?with=${older}`))
  const prompt = `Which is wider, ${randomUUID()}?`
  await scriptModel(prompt, { text: 'The second one.' })
  const answered = await browser.submit(form, { prompt })
  assert.match(answered.text, /The second one\./)
  assert.equal((await modelRequests(prompt))[0]?.images.length, 2)
})

test('AI writes the description of a revision', { skip }, async () => {
  const { figure } = await newPlace(alice.api)
  const mark = randomUUID()
  const plot = code(Buffer.from(`plot("${mark}")`))
  const { api_id } = await publish(alice.api, figure.api_id, [image(png(60, 40)), plot])
  const address = `/revision/${api_id}/`
  await scriptModel(mark, { text: hostile })
  const form = await browser.visit(at(`${address}ask/`))
  const described = await browser.submit(form, {}, `${address}describe/`)
  assert.equal(described.url.pathname, address)
  assert.match(described.text, /Described by AI/)
  assert.doesNotMatch(described.text, /<img src=x/)
})

test('problems of the question and of the model are shown at the form', { skip }, async () => {
  const form = await browser.visit(at(path))
  const empty = await browser.submit(form, { prompt: '' })
  assert.equal(empty.status, 400)
  assert.match(empty.text, /role="alert">Please check the question/)
  const prompt = `Fail ${randomUUID()}`
  await scriptModel(prompt, { status: 500 })
  const failed = await browser.submit(form, { prompt })
  assert.equal(failed.status, 502)
  assert.match(failed.text, /role="alert">The language model did not answer/)
  assert.ok(failed.text.includes(`${prompt}</textarea>`))
})

test('the stream is only for forms of the session', { skip }, async () => {
  const page = await browser.visit(at(path))
  const prompt = `Stream ${randomUUID()}`
  for (const [form_token, headers, expected] of [
    ['', ownOrigin, 403],
    [formTokenIn(page), { origin: 'https://evil.example' }, 403],
    [formTokenIn(page), ownOrigin, 200],
  ] as [string, Record<string, string>, number][]) {
    const body = new URLSearchParams({ form_token, prompt })
    const answer = await browser.send(at(`${path}stream/`), { method: 'POST', body, headers })
    assert.equal(answer.status, expected)
    if (expected === 200) assert.match(answer.text, /^event: done\ndata: \{"html"/m)
  }
  await expectProtected({ browser, page }, path, { prompt })
  const mallory = (await signInAt('/account/', await signUp())).browser
  assert.equal((await mallory.send(at(path))).status, 403)
})

test('the script shows the answer while it is written', {
  skip: skip || withoutBrowser,
}, async () => {
  await using chromium = await openBrowser()
  await chromium.use(async (person) => {
    await person.go(at(`/sign-in/?next=${path}`))
    await person.fill({ username: alice.username, password: alice.password })
    await person.click('main form button')
    const prompt = `Slowly ${randomUUID()}`
    const text = () => person.read(`document.querySelector('#answer').textContent`)
    const ask = async (prompt: string) => {
      await person.read(`document.querySelector('[name=prompt]').value = ${JSON.stringify(prompt)}`)
      await person.read(`document.querySelector('form[data-stream]').requestSubmit()`)
    }
    await scriptModel(prompt, { text: ['First ', hostile], delayMs: 1500 })
    await ask(prompt)
    await until(async () => String(await text()).includes('First'), 'the first words')
    assert.doesNotMatch(String(await text()), /Warm/)
    await until(async () => /Written by/.test(String(await text())), 'the whole answer')
    const shown = await person.read(`document.querySelector('#answer').innerHTML`)
    assert.match(String(shown), /<strong>Warm<\/strong>/)
    assert.doesNotMatch(String(shown), /<img|href="javascript:/)
    const broken = `Broken ${randomUUID()}`
    await scriptModel(broken, { text: ['One ', 'two'], cutAfter: 1 })
    await ask(broken)
    await until(async () => /did not answer/.test(String(await text())), 'the problem')
    // Chromium reports a stream that a script has read to its end as aborted.
    const problems = person.problems.filter(
      (one) => !/"Fetch","errorText":"net::ERR_ABORTED"/.test(one),
    )
    assert.deepEqual(problems, [])
    assert.equal((await modelRequests(prompt)).length, 1)
  })
})
