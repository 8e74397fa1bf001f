import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import {
  type Browser,
  openBrowser,
  type Person,
  withoutBrowser as skip,
} from '@figbase/kit/testing/chromium'
import { deployment, LATEST } from '../src/deployment.js'
import { until } from '../src/tasks.js'
import { signUp } from '../src/users.js'

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.[Symbol.asyncDispose]())

const reference = new URL('/docs/api/', deployment.origin)

/** Saves screenshots to the folder `SCREENSHOTS`, if it is set. */
async function look(person: Person, name: string) {
  const folder = process.env.SCREENSHOTS
  if (folder) await writeFile(`${folder}/reference-${name}.png`, await person.screenshot())
}

const becomes = (person: Person, script: string) =>
  // Elements refer to more than the debugger can return.
  until(async () => Boolean(await person.read(`Boolean(${script})`)), script)

type Document = { paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>> }

/** Opens an operation by its link; its elements are in `operation` from then on. */
async function open(person: Person, method: string, path: string) {
  const answer = await fetch(new URL(`/api/${LATEST}/openapi.json`, deployment.origin))
  const { paths } = (await answer.json()) as Document
  const { operationId, tags: [tag] = [] } = paths[path]?.[method] ?? {}
  const link = `#/${encodeURIComponent(tag ?? 'default')}/${operationId ?? `${method}${path.replace(/\W/g, '_')}`}`
  await person.go(new URL(`?version=${LATEST}${link}`, reference))
  const block = `document.querySelector('.opblock-${method} [data-path="${path}"]')?.closest('.opblock')`
  await becomes(person, `window.operation = ${block}`)
  await becomes(person, `operation.querySelector('.samples pre')`)
}

test('a user signs in, and creates a workspace in the reference', { skip }, async () => {
  const user = await signUp()
  await browser.use(async (person) => {
    await person.go(reference)
    await person.click('main a[href^="/sign-in/"]')
    await person.fill({ username: user.username, password: user.password })
    await person.click('button[type=submit]')
    assert.equal(await person.read('location.pathname'), '/docs/api/')
    await look(person, 'page')
    await open(person, 'post', `/api/${LATEST}/workspace/`)

    const name = 'Made in the reference'
    await person.read(`{ const area = operation.querySelector('.body-param__text')
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(area, ${JSON.stringify(JSON.stringify({ name }))})
      area.dispatchEvent(new Event('input', { bubbles: true })) }`)
    await person.read(`operation.querySelector('.execute').click()`)
    const status = `operation.querySelector('.live-responses-table tbody td.response-col_status')?.innerText`
    await becomes(person, status)
    assert.match(String(await person.read(status)), /201/)
    await person.read('operation.scrollIntoView()')
    await look(person, 'operation')
    const { body } = await user.api.get<{ name: string }[]>('workspace/')
    assert.ok(body.some((one) => one.name === name))

    const sampleOf = async (n: number) => {
      await person.read(`operation.querySelectorAll('.samples button')[${n}].click()`)
      return String(await person.read(`operation.querySelector('.samples pre').innerText`))
    }
    assert.match(await sampleOf(0), /^curl -X POST 'http:.*\/workspace\/'[\s\S]*Token \$API_KEY/)
    assert.match(await sampleOf(1), /^import requests[\s\S]*requests\.post\([\s\S]*json=\{/)
    assert.match(await sampleOf(2), /^const response = await fetch\([\s\S]*JSON\.stringify/)
    assert.deepEqual(person.problems, [])
  })
})

test('an operation shows its parameters and its errors', { skip }, async () => {
  await browser.use(async (person) => {
    await open(person, 'post', `/api/${LATEST}/workspace/{id}/members/add/`)
    const text = String(await person.read('operation.innerText'))
    assert.match(text, /^id\s\*/m)
    assert.match(text, /403: .*permission_denied.*max_users/)
    assert.match(text, /409: already_member/)
    assert.match(text, /504: deadline_exceeded/)
    assert.deepEqual(person.problems, [])
  })
})

test('each version has its reference, which loads nothing from elsewhere', { skip }, async () => {
  await browser.use(async (person) => {
    await person.go(new URL('?version=v1', reference))
    await becomes(person, `document.querySelectorAll('.opblock-tag').length > 0`)
    assert.equal(
      await person.read(`document.getElementById('reference').dataset.document`),
      '/api/v1/openapi.json',
    )
    const loaded = await person.read(
      `[...new Set(performance.getEntriesByType('resource').map((one) => new URL(one.name).origin))]`,
    )
    assert.deepEqual(loaded, [reference.origin])
    assert.deepEqual(person.problems, [])
  })
})

test('only pages of this site get a token for the session', async () => {
  const ask = (headers: Record<string, string>) =>
    fetch(new URL('/session/token/', reference), { method: 'POST', headers })
  const foreign = await ask({ origin: 'https://elsewhere.example' })
  assert.equal(foreign.status, 403)
  const { origin } = reference
  assert.equal((await ask({ origin })).status, 401)
  assert.equal((await ask({ origin, cookie: 'session=x; __Host-session=x' })).status, 401)
})
