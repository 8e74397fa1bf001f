import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { pageRoutes } from '@figbase/gateway'
import { type Browser, type BrowserPage, createBrowser } from '@figbase/kit/testing'
import { newComment } from '../src/comments.js'
import { png } from '../src/images.js'
import { at, formTokenIn, ownOrigin, signInAt } from '../src/pages.js'
import {
  image,
  newAsset,
  newOrganization,
  newPlace,
  publish,
  publishAsset,
} from '../src/publish.js'
import { newStory } from '../src/stories.js'
import { signUp, type TestUser } from '../src/users.js'

/** Forms of people without a session, or of every session; their own tests show what they check. */
const withoutToken = [
  '/sign-in/',
  '/sign-out/',
  '/sign-up/',
  '/password-reset/',
  '/password-reset/{token}/',
  '/verify-email/{token}/',
  '/session/token/',
  '/unsubscribe/{token}/',
]
const withFiles = ['/figure/{id}/publish/', '/account/avatar/', '/search/picture/']

const forms = pageRoutes
  .filter((route) => route.startsWith('POST '))
  .map((route) => route.slice('POST '.length))
const withToken = forms.filter((path) => !withoutToken.includes(path))

/** What would change something, in any of the forms. */
const values = {
  name: 'Mine',
  site_name: 'Mine',
  content: 'Mine',
  username: 'mallory',
  role: 'admin',
  membership_type: 'workspace_admin',
  email: 'mallory@example.org',
  enabled: 'true',
  action: 'send',
  emoji: '👍',
  prompt: 'Mine',
  format: 'markdown',
  slide_type: 'text',
  plan: 'free',
  code: 'MINE',
  kind: 'analysis',
}

let alice: TestUser
let mallory: { user: TestUser; browser: Browser; token: string }
/** Objects of Alice, by the first part of the path. */
let objects: Record<string, string>
let comment: string

before(async () => {
  alice = await signUp()
  const user = await signUp()
  const { browser, page } = await signInAt('/account/', user)
  mallory = { user, browser, token: formTokenIn(page) }
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const asset = await newAsset(alice.api, workspace.api_id)
  const assetRevision = await publishAsset(alice.api, asset.api_id, [image(png(3, 3))])
  const revision = await publish(alice.api, figure.api_id, [image(png(3, 3))])
  const slides = [{ slide_type: 'figure', revision_id: revision.api_id, content: 'Warm' }]
  const story = await newStory(alice.api, workspace.api_id, { slides })
  const organization = await newOrganization(alice.api)
  comment = (await newComment(alice.api, 'figure', figure.api_id, 'Why?')).id
  objects = {
    organization: organization.api_id,
    workspace: workspace.api_id,
    analysis: analysis.api_id,
    figure: figure.api_id,
    revision: revision.api_id,
    asset: asset.api_id,
    asset_revision: assetRevision.api_id,
    story: story.api_id,
  }
})

const addressOf = (path: string) =>
  at(
    path
      .replace('{id}', objects[path.split('/')[1] ?? ''] ?? randomUUID())
      .replace('{comment}', comment)
      .replace('{kind}', 'workspace')
      .replace('{number}', '1')
      .replace('{username}', alice.username)
      .replace(/\{\w+\}/, randomUUID()),
  )

async function submit(
  path: string,
  { browser = mallory.browser, token = mallory.token, headers = ownOrigin as object } = {},
): Promise<BrowserPage> {
  const body = withFiles.includes(path) ? new FormData() : new URLSearchParams()
  for (const [name, value] of Object.entries({ form_token: token, ...values })) {
    body.append(name, value)
  }
  return browser.send(addressOf(path), { method: 'POST', body, headers: { ...headers } })
}

test('each form is refused without the token of its session, and from other sites', async () => {
  assert.ok(withToken.length > 100)
  for (const path of withToken) {
    assert.equal((await submit(path, { token: '' })).status, 403, `${path} without a token`)
    for (const headers of [{}, { origin: 'https://evil.example' }]) {
      const { status } = await submit(path, { headers })
      assert.equal(status, 403, `${path} with ${JSON.stringify(headers)}`)
    }
  }
})

test('each form leads people without a session to the sign-in page', async () => {
  for (const path of withToken) {
    const { status, headers } = await submit(path, { browser: createBrowser() })
    // The script gets JSON.
    if (path.endsWith('/stream/')) assert.equal(status, 401, path)
    else {
      assert.equal(status, 303, path)
      assert.match(headers.get('location') ?? '', /^\/sign-in\//, path)
    }
  }
})

test('a stranger changes nothing of others, and nothing of the administration', async () => {
  const ofOthers = withToken.filter((path) => {
    const [, first = ''] = path.split('/')
    return first === 'admin' || (first in objects && path.includes('{id}'))
  })
  assert.ok(ofOthers.length > 80)
  const states = () =>
    Promise.all(
      Object.entries(objects).map(async ([segment, id]) => {
        const { body } = await alice.api.get<object>(`${segment}/${id}/`)
        return JSON.stringify(body)
      }),
    )
  const before = await states()
  for (const path of ofOthers) {
    const { status } = await submit(path)
    assert.ok([400, 403, 404].includes(status), `${path} answers ${status}`)
  }
  assert.deepEqual(await states(), before)
})
