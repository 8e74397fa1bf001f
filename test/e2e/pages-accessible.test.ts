import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { pageRoutes } from '@figbase/gateway'
import {
  type Browser,
  openBrowser,
  type Person,
  withoutBrowser,
} from '@figbase/kit/testing/chromium'
import { newApiKey } from '../src/api-keys.js'
import { client } from '../src/client.js'
import { newComment } from '../src/comments.js'
import { deployment } from '../src/deployment.js'
import { importedRepository } from '../src/git-repositories.js'
import { png } from '../src/images.js'
import {
  code,
  file,
  image,
  newAsset,
  newFigure,
  newOrganization,
  newPlace,
  publish,
  table,
} from '../src/publish.js'
import type { Revision } from '../src/resources.js'
import { newSshKey } from '../src/ssh-keys.js'
import { signInStaff, withoutStaff } from '../src/staff.js'
import { newStory } from '../src/stories.js'
import { signUp, type TestUser } from '../src/users.js'
import { newWebhook } from '../src/webhooks.js'

/** The pages are the same in each topology. */
const skip =
  withoutBrowser ||
  (deployment.topology !== 'all-in-one' && 'runs with all services in one process')

/** Routes that send files, or redirect, and forms that are the same for other kinds of objects. */
const withoutPage = [
  'GET /analysis/{id}/activity/',
  'GET /analysis/{id}/delete/',
  'GET /analysis/{id}/edit/',
  'GET /analysis/{id}/move/',
  'GET /analysis/{id}/new/asset/',
  'GET /analysis/{id}/new/figure/',
  'GET /asset/{id}/activity/',
  'GET /asset/{id}/comment/',
  'GET /asset/{id}/comment/people/',
  'GET /asset/{id}/comment/{comment}/delete/',
  'GET /asset/{id}/comment/{comment}/edit/',
  'GET /asset/{id}/delete/',
  'GET /asset/{id}/edit/',
  'GET /asset/{id}/move/',
  'GET /asset_revision/{id}/comment/',
  'GET /asset_revision/{id}/comment/people/',
  'GET /asset_revision/{id}/comment/{comment}/delete/',
  'GET /asset_revision/{id}/comment/{comment}/edit/',
  'GET /events/',
  'GET /figure/{id}/comment/people/',
  'GET /figure/{id}/comment/{comment}/edit/',
  'GET /revision/{id}/comment/',
  'GET /revision/{id}/comment/people/',
  'GET /revision/{id}/comment/{comment}/delete/',
  'GET /revision/{id}/comment/{comment}/edit/',
  'GET /new/organization/',
  'GET /new/workspace/',
  'GET /organization/',
  'GET /organization/deleted/',
  'GET /organization/{id}/activity/',
  'GET /figure/{id}/activity/',
  'GET /organization/{id}/delete/',
  'GET /organization/{id}/deleted/',
  'GET /organization/{id}/edit/',
  'GET /organization/{id}/new/workspace/',
  'GET /workspace/deleted/',
  'GET /workspace/{id}/delete/',
  'GET /workspace/{id}/edit/',
  'GET /workspace/{id}/new/asset/',
  'GET /account/data/figbase-account.json',
  'GET /analysis/{id}/share/',
  'GET /asset/{id}/share/',
  'GET /asset_revision/{id}/share/',
  'GET /organization/{id}/members/',
  'GET /organization/{id}/storage/',
  'GET /organization/{id}/usage/',
  'GET /organization/{id}/webhooks/',
  'GET /organization/{id}/billing/',
  // Those of an issued invoice: billing in services/all/test.
  'GET /organization/{id}/billing/{invoice}/',
  'GET /workspace/{id}/billing/{invoice}/',
  'GET /admin/invoices/{id}/',
  'GET /organization/{id}/members/remove/{username}/',
  'GET /revision/{id}/share/',
  'GET /story/{id}/share/',
  'GET /assets/{name}/',
  'GET /analysis/{id}/picture/',
  'GET /asset/{id}/picture/',
  'GET /asset_revision/{id}/picture/',
  'GET /data/{id}/',
  // All pages of the guide in one.
  'GET /docs/all/',
  // Swagger UI, which is not ours; see reference-in-browser.
  'GET /docs/api/',
  'GET /docs/api/assets/{name}/',
  'GET /docs/images/{name}/',
  'GET /figure/{id}/picture/',
  'GET /r/{id}/picture/',
  'GET /sign-in/callback/',
  'GET /sign-in/sso/',
  'GET /story/{id}/picture/{revision}/',
  'GET /workspace/{id}/picture/',
  'GET /story/{id}/delete/',
  'GET /story/{id}/move/',
  'GET /story/{id}/export/{export_id}/',
  'GET /workspace/{id}/new/story/',
  // Only where notebooks run.
  'GET /notebook/{id}/',
  'GET /notebook/{id}/open/',
  'GET /notebook/{id}/terminate/',
  'GET /notebooks/',
  'GET /workspace/{id}/notebooks/',
]

/** An address of each page for administrators. */
const adminPages = {
  'GET /admin/': '/admin/',
  'GET /admin/accounts/': '/admin/accounts/',
  'GET /admin/accounts/{username}/': '/admin/accounts/:username/',
  'GET /admin/plans/': '/admin/plans/',
  'GET /admin/plans/new/': '/admin/plans/new/',
  'GET /admin/plans/{id}/': '/admin/plans/:plan/',
  'GET /admin/plans/{id}/delete/': '/admin/plans/:plan/delete/',
  'GET /admin/invoices/': '/admin/invoices/',
  'GET /admin/promotions/': '/admin/promotions/',
  'GET /admin/promotions/{code}/delete/': '/admin/promotions/SPRING-2026/delete/',
  'GET /admin/services/': '/admin/services/',
  'GET /admin/services/{name}/': '/admin/services/search/',
  'GET /admin/storage/': '/admin/storage/',
  'GET /admin/log/': '/admin/log/',
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The smallest width that WCAG names; also that of a window of 640 pixels at 200 %. */
const phone = { width: 320, height: 640 }

let browser: Browser
let alice: TestUser
/** An address of each page. */
let pages: Record<string, string>

before(async () => {
  if (skip) return
  browser = await openBrowser()
  alice = await signUp()
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const asset = await newAsset(alice.api, workspace.api_id)
  const data = [file(Buffer.alloc(9), 'counts_of_all_stations_in_2026.csv')]
  const { body: used } = await alice.api.post<Revision>('asset_revision/', {
    asset: asset.api_id,
    data,
  })
  const assets = [{ asset_revision: used.api_id, use_type: 'direct' }]
  const parts = [
    image(png(600, 400)),
    code(Buffer.from(`plot("${'wide '.repeat(50)}")  # for all`)),
    table('depth,count\n1,3\n'),
    ...data,
  ]
  const older = await publish(alice.api, figure.api_id, [
    image(png(500, 400)),
    code(Buffer.from('plot("narrow")')),
    table('depth,count\n1,2\n'),
  ])
  const revision = await publish(alice.api, figure.api_id, parts, { assets, description: 'Warm.' })
  // The figure is stale.
  await alice.api.post('asset_revision/', { asset: asset.api_id })
  const content = '**Why**?\n\n| a | b |\n|-|-|\n| 1 | 2 |'
  const comment = await newComment(alice.api, 'figure', figure.api_id, content)
  await newComment(alice.api, 'figure_revision', revision.api_id, content)
  await alice.api.post('reaction/', { comment_id: comment.id, emoji: '👍' })
  const slides = [
    { slide_type: 'title', content: '# Plankton' },
    { slide_type: 'figure', revision_id: revision.api_id, content: '## Counts' },
  ]
  const story = await newStory(alice.api, workspace.api_id, { slides })
  const { body: exported } = await alice.api.post<{ task_id: string }>(
    `story/${story.api_id}/export/`,
    { format: 'markdown' },
    202,
  )
  const organization = await newOrganization(alice.api)
  const gone = await newFigure(alice.api, analysis.api_id, 'Deleted by mistake')
  await alice.api.delete(`figure/${gone.api_id}/`)
  const bob = await signUp()
  await alice.api.post(
    `workspace/${workspace.api_id}/members/add/`,
    { username: bob.username, membership_type: 'creator' },
    200,
  )
  await alice.api.post(
    `figure/${figure.api_id}/share/user/`,
    { username: bob.username, sharing_enabled: true },
    200,
  )
  const key = await newApiKey(alice.api, { workspace: workspace.api_id })
  const sshKey = await newSshKey(alice.api)
  const repository = await importedRepository(alice.api, analysis.api_id)
  const webhook = await newWebhook(alice.api, { workspace: workspace.api_id }, { events: ['*'] })
  await alice.api.post(`webhook/${webhook.api_id}/test/`, {}, 201)
  const avatar = png(64, 64).toString('base64')
  await alice.api.patch(`user/${alice.username}/`, { avatar })
  const { body: invitation } = await alice.api.post<{ token: string }>('invitations/workspace/', {
    email: 'bob@example.org',
    membership_type: 'viewer',
    workspace: workspace.api_id,
  })
  const { body: login } = await client().post<{ user_code: string }>(
    '/api/token/device/',
    { name: 'figbase on laptop' },
    200,
  )
  pages = {
    'GET /r/{id}/': `/r/${revision.api_id}`,
    'GET /revision/{id}/': `/revision/${revision.api_id}`,
    'GET /asset_revision/{id}/': `/asset_revision/${used.api_id}`,
    'GET /figure/{id}/': `/figure/${figure.api_id}`,
    'GET /figure/{id}/compare/': `/figure/${figure.api_id}/compare/?from=${older.api_id}&to=${revision.api_id}`,
    'GET /asset/{id}/compare/': `/asset/${asset.api_id}/compare/?from=${used.api_id}&to=${used.api_id}`,
    'GET /analysis/{id}/': `/analysis/${analysis.api_id}/?list=figure&sort=name`,
    'GET /': '/',
    'GET /search/': `/search/?q=plankton&by=any&kind=figure&meta=instrument%3Dx&workspace=${workspace.api_id}`,
    'GET /figure/{id}/comment/': `/figure/${figure.api_id}/comment/?answer=${comment.id}`,
    'GET /figure/{id}/comment/{comment}/delete/': `/figure/${figure.api_id}/comment/${comment.id}/delete/`,
    'GET /analysis/{id}/publish/': `/analysis/${analysis.api_id}/publish/`,
    'GET /figure/{id}/publish/': `/figure/${figure.api_id}/publish/`,
    'GET /figure/{id}/edit/': `/figure/${figure.api_id}/edit/`,
    'GET /figure/{id}/move/': `/figure/${figure.api_id}/move/`,
    'GET /figure/{id}/delete/': `/figure/${figure.api_id}/delete/`,
    'GET /workspace/{id}/new/analysis/': `/workspace/${workspace.api_id}/new/analysis/`,
    'GET /workspace/{id}/activity/': `/workspace/${workspace.api_id}/activity/`,
    'GET /workspace/{id}/deleted/': `/workspace/${workspace.api_id}/deleted/`,
    'GET /workspace/{id}/stale/': `/workspace/${workspace.api_id}/stale/`,
    'GET /workspace/': '/workspace/?list=workspace&sort=changed',
    'GET /activity/': '/activity/',
    'GET /asset/{id}/': `/asset/${asset.api_id}`,
    'GET /workspace/{id}/': `/workspace/${workspace.api_id}`,
    'GET /organization/{id}/': `/organization/${organization.api_id}`,
    'GET /story/{id}/': `/story/${story.api_id}`,
    'GET /story/{id}/present/': `/story/${story.api_id}/present/`,
    'GET /story/{id}/edit/': `/story/${story.api_id}/edit/`,
    'GET /story/{id}/slide/': `/story/${story.api_id}/slide/?slide=${story.slides[1]?.slide_id}`,
    'GET /story/{id}/history/': `/story/${story.api_id}/history/`,
    'GET /story/{id}/history/{number}/': `/story/${story.api_id}/history/1/`,
    'GET /story/{id}/export/': `/story/${story.api_id}/export/`,
    'GET /story/{id}/task/{task}/': `/story/${story.api_id}/task/${exported.task_id}/`,
    'GET /analysis/{id}/new/story/': `/analysis/${analysis.api_id}/new/story/`,
    'GET /revision/{id}/ask/': `/revision/${revision.api_id}/ask/`,
    'GET /invitations/{kind}/{token}/': `/invitations/workspace/${invitation.token}/`,
    'GET /sign-in/': '/sign-in/',
    'GET /workspace/{id}/members/': `/workspace/${workspace.api_id}/members/`,
    'GET /workspace/{id}/members/remove/{username}/': `/workspace/${workspace.api_id}/members/remove/${bob.username}/`,
    'GET /figure/{id}/share/': `/figure/${figure.api_id}/share/`,
    'GET /account/': '/account/',
    'GET /account/password/': '/account/password/',
    'GET /account/api-keys/': '/account/api-keys/',
    'GET /account/api-keys/{id}/delete/': `/account/api-keys/${key.api_id}/delete/`,
    'GET /account/ssh-keys/': '/account/ssh-keys/',
    'GET /account/ssh-keys/{id}/delete/': `/account/ssh-keys/${sshKey.api_id}/delete/`,
    'GET /account/notifications/': '/account/notifications/',
    'GET /unsubscribe/{token}/': '/unsubscribe/x/',
    'GET /account/sessions/': '/account/sessions/',
    'GET /account/sessions/end/': '/account/sessions/end/',
    'GET /account/data/': '/account/data/',
    'GET /account/usage/': '/account/usage/',
    'GET /workspace/{id}/usage/': `/workspace/${workspace.api_id}/usage/`,
    'GET /workspace/{id}/storage/': `/workspace/${workspace.api_id}/storage/`,
    'GET /workspace/{id}/billing/': `/workspace/${workspace.api_id}/billing/`,
    'GET /workspace/{id}/webhooks/': `/workspace/${workspace.api_id}/webhooks/`,
    'GET /workspace/{id}/repositories/': `/workspace/${workspace.api_id}/repositories/`,
    'GET /analysis/{id}/repositories/': `/analysis/${analysis.api_id}/repositories/`,
    'GET /git-repository/{id}/': `/git-repository/${repository}/`,
    'GET /git-repository/{id}/delete/': `/git-repository/${repository}/delete/`,
    'GET /webhook/{id}/': `/webhook/${webhook.api_id}/`,
    'GET /webhook/{id}/delete/': `/webhook/${webhook.api_id}/delete/`,
    'GET /account/delete/': '/account/delete/',
    'GET /account/deleted/': '/account/deleted/',
    'GET /sign-up/': '/sign-up/',
    'GET /device/': `/device/?code=${login.user_code}`,
    'GET /device/allowed/': '/device/allowed/',
    'GET /device/refused/': '/device/refused/',
    'GET /password-reset/': '/password-reset/',
    'GET /password-reset/sent/': '/password-reset/sent/',
    'GET /password-reset/done/': '/password-reset/done/',
    'GET /password-reset/{token}/': '/password-reset/x/',
    'GET /verify-email/done/': '/verify-email/done/',
    'GET /verify-email/{token}/': '/verify-email/x/',
    'GET /docs/': '/docs/',
    'GET /docs/{page}/': '/docs/publishing/',
  }
})
after(() => browser?.[Symbol.asyncDispose]())

test('the list has every page', { skip }, () => {
  const routes = pageRoutes.filter((route) => route.startsWith('GET '))
  const listed = [...Object.keys(pages), ...Object.keys(adminPages), ...withoutPage]
  assert.deepEqual(listed.sort(), routes.sort())
})

/** What axe finds in the loaded page. The reference is that of Swagger UI, which is not ours. */
async function violationsIn(person: Person, rules: object): Promise<unknown> {
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'] })
  return person.read(`(${check})(${options})`)
}

const check = `async (options) => {
  const { violations } = await axe.run({ exclude: [['#reference']] }, options)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
    id + ': ' + html.slice(0, 200) + ' ' + failureSummary))
}`

test('a fault is found', { skip }, async () => {
  await browser.use(async (person) => {
    await person.go(new URL('/sign-in/', deployment.origin))
    await person.read(axe)
    await person.read(
      `document.querySelector('input[name=username]').parentElement.firstChild.remove()`,
    )
    const all = { runOnly: { type: 'tag', values: tags } }
    assert.match(JSON.stringify(await violationsIn(person, all)), /"label: /)
  })
})

/** Saves a screenshot to the folder `SCREENSHOTS`, if it is set. */
async function saveScreenshot(person: Person, path: string, name: string) {
  const folder = process.env.SCREENSHOTS
  const file = `${path.replace(/[0-9a-f-]{36}/g, '').replace(/\W+/g, '-')}${name}.png`
  if (folder) await writeFile(`${folder}/page${file}`, await person.screenshot())
}

async function expectAccessible(person: Person, paths: string[], name: string) {
  for (const path of paths) {
    await person.resize(phone)
    await person.go(new URL(path, deployment.origin))
    const width = await person.read('document.documentElement.scrollWidth')
    assert.ok(Number(width) <= phone.width, `${path} is ${width} pixels wide`)
    await person.read(`for (const one of document.querySelectorAll('details')) one.open = true`)
    await person.read(axe)
    const all = { runOnly: { type: 'tag', values: tags } }
    assert.deepEqual(await violationsIn(person, all), [], path)
    await saveScreenshot(person, path, `${name}-light`)
    await person.resize({ ...phone, isDark: true })
    const contrast = { runOnly: { type: 'rule', values: ['color-contrast'] } }
    assert.deepEqual(await violationsIn(person, contrast), [], `${path} in dark mode`)
    await saveScreenshot(person, path, `${name}-dark`)
  }
}

/** Those who are not signed in open them, so that they are tested only as they see them. */
const isOfAnonymous = (path: string) => /^\/(sign-in|device.+d\/|password|verify)/.test(path)

test('pages of signed-in users meet WCAG 2.2 AA in both colour schemes, on a small phone', {
  skip,
}, async () => {
  const paths = Object.values(pages).filter((path) => !isOfAnonymous(path))
  await browser.use((person) => expectAccessible(person, paths, 'user'), alice.api.authorization)
})

test('on paper, a page is black on white and has no navigation', { skip }, async () => {
  await browser.use(async (person) => {
    await person.resize({ width: 800, height: 600, isDark: true, isPrint: true })
    await person.go(new URL(pages['GET /revision/{id}/'] ?? '', deployment.origin))
    const colors = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))`
    assert.deepEqual(await person.read(colors), ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    const shown = `[...document.body.children].filter((one) => one.checkVisibility()).map((one) => one.localName)`
    assert.deepEqual(await person.read(shown), ['main'])
  }, alice.api.authorization)
})

test('pages of administrators do, too', { skip: skip || withoutStaff }, async () => {
  const staff = await signInStaff()
  const { authorization } = staff
  const { body: plans } = await staff.get<{ api_id: string }[]>('plan/')
  const paths = Object.values(adminPages).map((path) =>
    path.replace(':username', alice.username).replace(':plan', plans[0]?.api_id ?? ''),
  )
  await browser.use((person) => expectAccessible(person, paths, 'admin'), authorization)
})

test('pages of anonymous users do, too, in the language with the longest words', {
  skip,
}, async () => {
  await alice.api.post(
    `${pages['GET /figure/{id}/']?.slice(1)}/share/link/`,
    { enabled: true },
    200,
  )
  await browser.use(async (person) => {
    await person.move({ languages: 'de', timeZone: 'Europe/Berlin' })
    const errors = ['/figure/x', '/unknown/', pages['GET /workspace/{id}/'] ?? '']
    const open = Object.values(pages).filter(
      (path) => isOfAnonymous(path) || /^\/(r|figure|invit)/.test(path),
    )
    await expectAccessible(person, [...open, ...errors], 'anonymous')
  })
})
