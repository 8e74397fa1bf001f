import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { type Browser, openBrowser, withoutBrowser } from '@figbase/kit/testing/chromium'
import { deployment } from '../src/deployment.js'
import { png } from '../src/images.js'
import { image, newPlace, publish } from '../src/publish.js'
import { newStory } from '../src/stories.js'
import { signUp, type TestUser } from '../src/users.js'

const skip = withoutBrowser
let browser: Browser
let alice: TestUser
let story: string

before(async () => {
  if (skip) return
  browser = await openBrowser()
  alice = await signUp()
  const { workspace, figure } = await newPlace(alice.api)
  const shown = await publish(alice.api, figure.api_id, [image(png(800, 500))])
  const hidden = await publish(alice.api, figure.api_id, [image(png(300, 600, 1))])
  const wide = `${'wide '.repeat(40)}${'W'.repeat(300)}`
  const slides = [
    { slide_type: 'title', content: `# Plankton <img src=x onerror="document.title='run'">` },
    { slide_type: 'figure', revision_id: shown.api_id, content: `## Counts\n\n${wide}` },
    { slide_type: 'figure', revision_id: hidden.api_id, content: '[click](javascript:alert(1))' },
    {
      slide_type: 'conclusion',
      content: '| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>alert(1)</script>',
    },
  ]
  story = (await newStory(alice.api, workspace.api_id, { name: wide, slides })).api_id
  for (const path of [`story/${story}`, `revision/${shown.api_id}`]) {
    await alice.api.post(`${path}/share/link/`, { enabled: true }, 200)
  }
})
after(() => browser?.[Symbol.asyncDispose]())

const at = (path: string) => new URL(`/story/${story}/${path}`, deployment.origin)

test('the pages of a story cause no browser errors, and fit a phone', { skip }, async () => {
  for (const path of ['', 'present/']) {
    for (const [authorization, pictures] of [
      [undefined, 1],
      [alice.api.authorization, 2],
    ] as const) {
      const phone = await browser.visit(at(path), { width: 360, height: 740, authorization })
      assert.deepEqual(phone.problems, [], path)
      assert.ok(phone.scrollWidth <= 360, `${path} is ${phone.scrollWidth} pixels wide`)
      const desktop = await browser.visit(at(path), { width: 1280, height: 2400, authorization })
      assert.equal(desktop.pictures, pictures, `${path} ${authorization ? 'author' : 'link'}`)
    }
  }
})

test('keys change the slide of a presentation', { skip }, async () => {
  await browser.use(async (person) => {
    await person.go(at('present/'))
    const slide = `[...document.querySelectorAll('.slide')]
      .findIndex((slide) => Math.abs(slide.getBoundingClientRect().top) < 2)`
    const press = async (key: string) => {
      await person.read(
        `document.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', cancelable: true }))`,
      )
      return person.read(slide)
    }
    assert.equal(await person.read(slide), 0)
    assert.equal(await press('ArrowRight'), 1)
    const folder = process.env.FIGBASE_SCREENSHOTS
    if (folder) await writeFile(`${folder}/slide.png`, await person.screenshot())
    assert.equal(await press(' '), 2)
    assert.equal(await press('ArrowUp'), 1)
    assert.equal(await press('End'), 3)
    assert.equal(await press('ArrowDown'), 3)
    assert.equal(await press('Home'), 0)
    assert.deepEqual(person.problems, [])
  }, alice.api.authorization)
})

test('f turns the full screen of a presentation on and off', { skip }, async () => {
  await browser.use(async (person) => {
    await person.go(at('present/'))
    const becomes = (isFull: boolean) =>
      person.read(`new Promise((resolve) => {
        const check = () => (document.fullscreenElement !== null) === ${isFull} ? resolve(true) : setTimeout(check, 10)
        setTimeout(() => resolve(false), 10_000)
        check()
      })`)
    assert.equal(await becomes(false), true)
    await person.press('f')
    assert.equal(await becomes(true), true)
    await person.press('f')
    assert.equal(await becomes(false), true)
    assert.deepEqual(person.problems, [])
  }, alice.api.authorization)
})

test('a deck has a link from slide to slide, and needs no script', { skip }, async () => {
  const text = await (await fetch(at('present/'))).text()
  for (const link of ['#slide-2', '#slide-4']) assert.ok(text.includes(`href="${link}"`), link)
  assert.doesNotMatch(text, /href="javascript:/)
})
