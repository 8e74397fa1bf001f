import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  type Browser,
  openBrowser,
  type Person,
  withoutBrowser,
} from '@figbase/kit/testing/chromium'
import { newComment } from '../src/comments.js'
import { png } from '../src/images.js'
import { at } from '../src/pages.js'
import { image, newPlace, type Place, processed, publish } from '../src/publish.js'
import type { Analysis, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

// What the script adds to the pages.
const skip = withoutBrowser

let browser: Browser
let alice: TestUser
let place: Place

before(async () => {
  if (skip) return
  browser = await openBrowser()
  alice = await signUp()
  place = await newPlace(alice.api)
})
after(() => browser?.[Symbol.asyncDispose]())

/** Alice, who has signed in, at a page. Returns what the browser reports. */
const visit = (path: string, work: (person: Person) => unknown) =>
  browser.use(async (person) => {
    await person.go(at(`/sign-in/?next=${encodeURIComponent(path)}`))
    await person.fill({ username: alice.username, password: alice.password })
    await person.click('main form button')
    await work(person)
    return person.problems
  })

/** Drops files on the page: texts, or bytes in base64. */
const dropped = (files: Record<string, string>) => `(() => {
  const dataTransfer = new DataTransfer()
  for (const [name, text] of Object.entries(${JSON.stringify(files)})) {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
    dataTransfer.items.add(new File([bytes], name, { lastModified: 1 }))
  }
  const event = { dataTransfer, bubbles: true, cancelable: true }
  return document.dispatchEvent(new DragEvent('drop', event))
})()`
const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64')

/** Waits until an expression is true in the page, at most 10 s. */
async function until(person: Person, expression: string) {
  const isTrue = await person.read(`new Promise((resolve) => {
    const end = performance.now() + 10_000
    const look = () => {
      if (${expression}) return resolve(true)
      if (performance.now() > end) return resolve(false)
      setTimeout(look, 20)
    }
    look()
  })`)
  assert.equal(isTrue, true, `${expression}: ${await person.read('document.body.innerText')}`)
}

const data = ({ data }: Revision) =>
  data?.map(({ name, type, size_bytes }) => [name, type, size_bytes])

test('files that are dropped on a figure become its next revision', { skip }, async () => {
  const problems = await visit(`/figure/${place.figure.api_id}`, async (person) => {
    const picture = png(60, 40)
    const paths = { 'plot.png': picture, 'plot.py': 'print(1)', 'a.csv': 'x\n1\n' }
    const folder = await mkdtemp(join(tmpdir(), 'figbase-drop-'))
    for (const [name, bytes] of Object.entries(paths)) await writeFile(join(folder, name), bytes)
    await person.drop(
      'h1',
      Object.keys(paths).map((name) => join(folder, name)),
    )
    await until(person, `document.querySelector('dialog form.publish')`)
    assert.equal(await person.read(`document.querySelectorAll('dialog .files li').length`), 3)
    await person.fill({ description: 'Warm' })
    await person.click('form.publish .buttons button')
    await rm(folder, { recursive: true })
    const [, id = ''] =
      /^\/r\/([^/]+)\/$/.exec(String(await person.read('location.pathname'))) ?? []
    const revision = await processed(alice.api, id)
    assert.equal(revision.description, 'Warm')
    assert.deepEqual(data(revision), [
      ['plot.png', 'image', picture.length],
      ['plot.py', 'code', 8],
      ['a.csv', 'dataframe', 4],
    ])
  })
  assert.deepEqual(problems, [])
})

test('files alike up to the first dot are one figure of the analysis, as with the command', {
  skip,
}, async () => {
  const { analysis, figure } = place
  await alice.api.patch(`figure/${figure.api_id}/`, { name: 'known' })
  await visit(`/analysis/${analysis.api_id}/publish/`, async (person) => {
    await person.read(
      dropped({
        'known.py': base64('print(2)'),
        'new.py': base64('print(3)'),
        'new.md': base64('**New**'),
        'README.md': base64('Read me'),
      }),
    )
    await until(person, `document.querySelectorAll('.files li').length > 5`)
    const unused = await person.read(`document.querySelector('.files > .quiet').textContent`)
    assert.match(String(unused), /: README\.md$/)
    await person.click('form.publish .buttons button')
    assert.equal(await person.read('location.pathname'), `/analysis/${analysis.api_id}/`)
  })
  const { body } = await alice.api.get<Analysis>(`analysis/${analysis.api_id}/`)
  const figures = body.figures ?? []
  assert.deepEqual(figures.map(({ name }) => name).sort(), ['known', 'new'])
  const newest = async (name: string) => {
    const id = figures.find((one) => one.name === name)?.api_id
    const { body: found } = await alice.api.get<{ revisions: Revision[] }>(`figure/${id}/`)
    return processed(alice.api, found.revisions.at(-1)?.api_id ?? '')
  }
  assert.equal((await newest('new')).description, '**New**')
  assert.equal((await newest('known')).data?.[0]?.name, 'known.py')
})

test('a large file goes on where it was after an interruption, and after a reload', {
  skip,
}, async () => {
  const path = `/figure/${place.figure.api_id}/publish/`
  const bytes = 20 * 2 ** 20
  /** Zeros, which need not be sent to the page. A `PATCH` fails if its number is cut. */
  const drop = (isCut: string) => `(() => {
    const { fetch } = window
    const sent = []
    window.fetch = (url, init) => {
      const { method = 'GET', headers } = init ?? {}
      if (!String(url).includes('/upload/')) return fetch(url, init)
      sent.push(method + ' ' + new Headers(headers).get('upload-offset'))
      sessionStorage.sent = JSON.stringify(sent)
      const number = sent.filter((one) => one.startsWith('PATCH')).length
      const fails = method === 'PATCH' && ${isCut}
      return fails ? Promise.reject(new TypeError('cut')) : fetch(url, init)
    }
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([new Uint8Array(${bytes})], 'large.bin', { lastModified: 1 }))
    document.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
  })()`
  const button = 'form.publish .buttons button'
  await visit(path, async (person) => {
    await person.read(drop('number > 1'))
    await until(person, `document.querySelector('.files li')`)
    await person.read(`document.querySelector('${button}').click()`)
    await until(person, `document.querySelector('progress').value >= 40`)
    const status = await person.read(`document.querySelector('.sending [role=status]').textContent`)
    assert.equal(status, '40% sent')
    await person.read(`document.querySelector('${button}.secondary').click()`)
    await until(person, `document.querySelector('.sending').hidden`)

    await person.go(at(path))
    await person.read(drop('number === 1'))
    await until(person, `document.querySelector('.files li')`)
    await person.click(button)
    const sent = JSON.parse(String(await person.read('sessionStorage.sent'))) as string[]
    const first = 8 * 2 ** 20
    // The connection is cut once more.
    assert.deepEqual(sent.slice(0, 4), [
      'HEAD null',
      `PATCH ${first}`,
      'HEAD null',
      `PATCH ${first}`,
    ])
    const id = String(await person.read(`location.pathname.split('/')[2]`))
    assert.deepEqual(data(await processed(alice.api, id)), [['large.bin', 'file', bytes]])
  })
})

test('comments and revisions of others appear, and the reader keeps their place', {
  skip,
}, async () => {
  const id = place.figure.api_id
  const bob = await signUp()
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`figure/${id}/share/user/`, share, 200)
  const first = await newComment(alice.api, 'figure', id, 'First')
  const problems = await visit(`/figure/${id}`, async (person) => {
    // The script of the page has opened its stream before.
    await person.read(`new Promise((resolve) => {
      const source = new EventSource('/events/')
      source.addEventListener('begun', () => resolve(source.close()))
    })`)
    await person.read(`(() => {
      window.stays = document.querySelector('#comment-${first.id}')
      stays.querySelector('.actions a').focus()
    })()`)
    const { id: second } = await newComment(bob.api, 'figure', id, '**Second**')
    await until(
      person,
      `document.querySelector('#comment-${second} strong + strong, #comment-${second} .written strong')`,
    )
    assert.equal(
      await person.read(`document.querySelector('.news').textContent`),
      'The comments have changed.',
    )
    const stays = `document.activeElement === stays.querySelector('.actions a') && stays.isConnected`
    assert.equal(await person.read(stays), true)
    assert.match(
      String(await person.read(`document.querySelector('#comment-${second} time').title`)),
      / UTC$/,
    )

    await bob.api.delete(`comment/${second}/`)
    await until(person, `!document.querySelector('#comment-${second}')`)
    const revision = await publish(alice.api, id, [image(png(60, 40))])
    await until(person, `document.querySelector('#revisions a[href="/r/${revision.api_id}"]')`)
    assert.equal(
      await person.read(`document.querySelector('.news').textContent`),
      'The revisions have changed.',
    )
  })
  assert.deepEqual(problems, [])
})

test('a mention is completed with the keyboard, from those whom the writer may see', {
  skip,
}, async () => {
  const { workspace, figure } = place
  const bob = await signUp()
  const member = { username: bob.username, membership_type: 'viewer' }
  await alice.api.post(`workspace/${workspace.api_id}/members/add/`, member, 200)
  const press = (key: string) => `document.querySelector('textarea').dispatchEvent(
    new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))`
  const type = (text: string) => `(() => {
    const input = document.querySelector('textarea')
    input.focus()
    input.value = ${JSON.stringify(text)}
    input.setSelectionRange(input.value.length, input.value.length)
    input.dispatchEvent(new Event('input'))
  })()`
  const problems = await visit(`/figure/${figure.api_id}/comment/`, async (person) => {
    await person.read(type('a@'))
    assert.equal(await person.read(`document.querySelector('#people').hidden`), true)
    await person.read(type('Is it right, @'))
    await until(person, `document.querySelectorAll('#people [role=option]').length > 1`)
    const active = `document.getElementById(document.querySelector('textarea').getAttribute('aria-activedescendant'))`
    const [first, second] = [
      await person.read(`${active}.textContent`),
      await person.read(`${press('ArrowDown')}, ${active}.textContent`),
    ]
    assert.notEqual(first, second)
    assert.equal(await person.read(`${active}.ariaSelected`), 'true')
    await person.read(press('Escape'))
    assert.equal(
      await person.read(`document.querySelector('textarea').hasAttribute('aria-controls')`),
      false,
    )
    await person.read(type(`Is it right, @${bob.username.slice(0, -2)}`))
    await until(person, `!document.querySelector('#people').hidden`)
    await person.read(press('Enter'))
    const value = await person.read(`document.querySelector('textarea').value`)
    assert.equal(value, `Is it right, @${bob.username} `)
  })
  assert.deepEqual(problems, [])
})

test('a reaction is added and taken back without loading the page again', { skip }, async () => {
  const id = place.figure.api_id
  const comment = await newComment(alice.api, 'figure', id, 'Good')
  const problems = await visit(`/figure/${id}`, async (person) => {
    const button = (emoji: string) =>
      `#comment-${comment.id} .reactions button[aria-label^="${emoji} 1"]`
    await person.read(`(() => {
      window.isSame = true
      document.querySelector('#comment-${comment.id} .reactions button[value="🎉"]').click()
    })()`)
    await until(person, `document.querySelector('${button('🎉')}[aria-pressed=true]')`)
    await person.read(`document.querySelector('${button('🎉')}').click()`)
    await until(person, `!document.querySelector('${button('🎉')}')`)
    assert.equal(await person.read('window.isSame'), true)
  })
  assert.deepEqual(problems, [])
})
