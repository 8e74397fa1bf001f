import { randomUUID } from 'node:crypto'
import { commentsPath } from './comments.js'
import { LATEST, VERSIONS } from './deployment.js'
import { markerPrefix } from './leak-detector.js'
import type { LeakFixture } from './leak-fixture.js'
import { thirdOfEachKind } from './leak-sample.js'
import type { Segment, TestComment, TestObject } from './leak-shares.js'
import { type Reader, readers } from './leak-users.js'
import { tus } from './uploads.js'

/** A read request. */
export interface ReadRequest {
  path: string
  /** Default GET. */
  method?: 'GET' | 'HEAD' | 'POST'
  json?: unknown
  headers?: Record<string, string>
  /** The requested object: readers without access to it must get an error. */
  object?: Pick<TestObject, 'readers' | 'place'>
  /** Whether the response is the user directory, with the names of all users. */
  isDirectory?: boolean
  /** Only these readers send it. */
  by?: readonly Reader[]
}

/** The scripted language model answers it with everything that it got. */
export const echoPrompt = 'Repeat everything that you got.'

type Row = (fixture: LeakFixture) => ReadRequest[]

const unknownId = '00000000-0000-4000-8000-000000000000'
const oldest = VERSIONS[0]
/** The number of log entries to read individually, newest first, preferably about comments. */
const entriesMax = 2
const once =
  (...paths: string[]): Row =>
  () =>
    paths.map((path) => ({ path: api(path) }))
const api = (path: string, version: string = LATEST) =>
  path.startsWith('/') ? path : `/api/${version}/${path}`

const objectsOf = ({ objects }: LeakFixture, segment: Segment) =>
  objects.filter((object) => object.segment === segment)

const someOf = (fixture: LeakFixture, segment: Segment, start: number) =>
  thirdOfEachKind(objectsOf(fixture, segment), ({ kind }) => kind, start)

const discussionsOf = ({ comments }: LeakFixture) => [
  ...new Map(comments.map((comment) => [comment.target, comment])).values(),
]

/** Requests for objects of a type, and for one of another type, by those who may view that one. */
function requestsFor(
  { objects }: LeakFixture,
  segment: Segment,
  requested: TestObject[],
  suffixes: string[],
) {
  const request = (object: TestObject, suffix: string): ReadRequest => ({
    path: api(`${segment}/${object.id}/${suffix}`),
    object,
  })
  const foreign = objects.find((object) => object.segment !== segment)
  const nobody = { readers: [], place: 'an object of another type' }
  return suffixes.flatMap((suffix) => [
    ...requested.map((object) => request(object, suffix)),
    ...(foreign ? [{ ...request({ ...foreign, ...nobody }, suffix), by: foreign.readers }] : []),
  ])
}

const ofEach =
  (segment: Segment, ...suffixes: string[]): Row =>
  (fixture) =>
    requestsFor(fixture, segment, objectsOf(fixture, segment), suffixes)

/** For routes that show less of an object than others do. */
const ofSome =
  (segment: Segment, start: number, ...suffixes: string[]): Row =>
  (fixture) =>
    requestsFor(fixture, segment, someOf(fixture, segment, start), suffixes)

const inOldest =
  (segment: Segment): Row =>
  (fixture) =>
    someOf(fixture, segment, 1).map((object) => ({
      path: api(`${segment}/${object.id}/`, oldest),
      object,
    }))

const all =
  (...rows: Row[]): Row =>
  (fixture) =>
    rows.flatMap((row) => row(fixture))

const isOfRevision = (segment: Segment) =>
  segment === 'revision' || segment === 'asset_revision' || segment === 'data'

/** The routes of every core object. */
const core = (segment: Segment): Record<string, Row> => ({
  [`GET /${segment}/{id}/`]: all(ofEach(segment, ''), inOldest(segment)),
  [`GET /${segment}/{id}/size/`]: ofSome(segment, 0, 'size/'),
  // The children of a revision are its data, which it contains.
  [`GET /${segment}/{id}/children/`]: isOfRevision(segment)
    ? ofSome(segment, 2, 'children/')
    : ofEach(segment, 'children/'),
  [`GET /${segment}/{id}/thumbnail/`]: ofSome(segment, 1, 'thumbnail/'),
  [`GET /${segment}/{id}/thumbnail/{size}/`]: all(
    ofSome(segment, 2, 'thumbnail/16/'),
    ofSome(segment, 0, 'thumbnail/16/?dl=1'),
  ),
  // The deep log has all entries.
  [`GET /${segment}/{id}/log/`]: all(
    ofEach(segment, 'log/?deep=true'),
    ofSome(segment, 1, 'log/'),
    ofSome(segment, 2, 'log/?deep=true&deduplicate=true&exclude_deleted=true'),
  ),
  // Entries of the analyses have former names.
  [`GET /${segment}/{id}/log/{log_id}/`]: (fixture) =>
    (segment === 'analysis' ? objectsOf(fixture, segment) : someOf(fixture, segment, 0)).flatMap(
      (object) =>
        (fixture.entries.get(object.id) ?? []).slice(0, entriesMax).map((entry) => ({
          path: api(`${segment}/${object.id}/log/${entry}/`),
          object,
        })),
    ),
})

const shares = (segment: Segment): Record<string, Row> => ({
  [`GET /${segment}/{id}/share/user/`]: ofSome(segment, 1, 'share/user/'),
  [`GET /${segment}/{id}/share/link/`]: ofSome(segment, 2, 'share/link/'),
})

const container = (segment: Segment): Record<string, Row> => ({
  [`GET /${segment}/`]: once(`${segment}/`),
  ...core(segment),
  ...shares(segment),
})

const circle = (segment: 'workspace' | 'organization'): Record<string, Row> => ({
  ...container(segment),
  [`GET /${segment}/{id}/members/`]: ofEach(segment, 'members/'),
  [`GET /${segment}/{id}/invitations/`]: ofEach(segment, 'invitations/'),
  [`GET /invitations/${segment}/{key}/`]: ({ invitations }) => [
    { path: api(`invitations/${segment}/${invitations[segment]}/`) },
  ],
  [`GET /${segment}/{id}/ai_usage/`]: ofEach(segment, 'ai_usage/', 'ai_usage/?format=csv'),
  [`GET /${segment}/{id}/subscription/`]: ofEach(segment, 'subscription/'),
  [`GET /${segment}/{id}/storage/`]: ofEach(segment, 'storage/'),
  [`GET /${segment}/{id}/webhook/`]: ofEach(segment, 'webhook/'),
  [`GET /${segment}/{id}/billing/`]: ofEach(segment, 'billing/'),
  [`GET /${segment}/{id}/billing/invoice/`]: ofEach(segment, 'billing/invoice/'),
  [`GET /${segment}/{id}/billing/invoice/{invoice_id}/`]: ofEach(
    segment,
    `billing/invoice/${randomUUID()}/`,
  ),
})

/** Each reader requests this of their own account, and of two or three others. */
const ofPeople =
  (pathOf: (username: string) => string, isDirectory = false): Row =>
  ({ people, as }) =>
    Object.values(people).map((person, index) => {
      const isOwn = (reader: Reader) =>
        as[reader] === person.api ||
        (reader === 'key of a former member' && person === people.former)
      return {
        path: pathOf(person.username),
        isDirectory,
        by: readers.filter((reader, at) => isOwn(reader) || (at + index) % 4 === 0),
      }
    })

const page = (segment: Segment, path = segment as string): Row => {
  return (fixture) =>
    objectsOf(fixture, segment).map((object) => ({ path: `/${path}/${object.id}/`, object }))
}

/** Pairs each revision with the objects that it belongs to, and with one other. */
const pairs = (
  fixture: LeakFixture,
  segment: Segment,
  revision: Segment,
  isOf: (revision: TestObject, other: TestObject) => boolean,
) =>
  objectsOf(fixture, revision).flatMap((object, index) => {
    const all = objectsOf(fixture, segment)
    const own = all.filter((one) => isOf(object, one))
    const others = all.filter((one) => !own.includes(one))
    const other = others[index % others.length]
    return [...own, ...(other ? [other] : [])].map(({ id }) => ({ id, object }))
  })

/** Compares each revision with itself. */
const comparisons =
  (segment: Segment, revision: Segment): Row =>
  (fixture) =>
    pairs(fixture, segment, revision, ({ parent }, { id }) => parent === id).map(
      ({ id, object }) => ({
        path: `/${segment}/${id}/compare/?from=${object.id}&to=${object.id}`,
        object,
      }),
    )

/** The question before a member is removed. */
const pagesOfRemoval = (segment: Segment): Record<string, Row> => ({
  [`GET /${segment}/{id}/members/remove/{username}/`]: (fixture) =>
    objectsOf(fixture, segment).map((object) => ({
      path: `/${segment}/${object.id}/members/remove/x/`,
      object,
    })),
})

/** Pages below that of an object. */
const pagesBelow = (segment: Segment, ...names: string[]): Record<string, Row> =>
  Object.fromEntries(names.map((name) => [`GET /${segment}/{id}/${name}/`, below(segment, name)]))

/** Forms show the same of an object, its names and its place, and pictures and lists what other routes show. */
const formsBelow = (segment: Segment, ...names: string[]): Record<string, Row> =>
  Object.fromEntries(
    names.map((name, start): [string, Row] => [
      `GET /${segment}/{id}/${name}/`,
      (fixture) =>
        someOf(fixture, segment, start).map((object) => ({
          path: `/${segment}/${object.id}/${name}/`,
          object,
        })),
    ]),
  )

const below =
  (segment: Segment, name: string): Row =>
  (fixture) =>
    objectsOf(fixture, segment).map((object) => ({
      path: `/${segment}/${object.id}/${name}/`,
      object,
    }))

const kindOfComment = ({ kind, target }: TestComment) => `${kind} ${target.kind}`

/** The pages where comments are written and changed. */
function pagesOfComments(segment: Segment): Record<string, Row> {
  const changed =
    (name: string, start: number): Row =>
    ({ comments }) =>
      thirdOfEachKind(
        comments.filter(({ target }) => target.segment === segment),
        kindOfComment,
        start,
      ).map(({ id, target }) => ({ path: `/${segment}/${target.id}/comment/${id}/${name}/` }))
  return {
    ...formsBelow(segment, 'comment', 'comment/people'),
    [`GET /${segment}/{id}/comment/{comment}/edit/`]: changed('edit', 0),
    [`GET /${segment}/{id}/comment/{comment}/delete/`]: changed('delete', 1),
  }
}

const post = (path: string, ...bodies: object[]): ReadRequest[] =>
  bodies.map((json) => ({ method: 'POST', path: api(path), json }))

/** Requests of AI about revisions, for those who may discuss them: about some where other routes tell the model more. */
const aiOn =
  (path: string, bodyOf: (revision: string) => object, someFrom?: number): Row =>
  (fixture) => {
    const discussed = discussionsOf(fixture).filter(({ type }) => type === 'figure_revision')
    const asked =
      someFrom === undefined
        ? discussed
        : thirdOfEachKind(discussed, ({ target }) => target.kind, someFrom)
    return asked.map(({ target, readers }) => ({
      method: 'POST',
      path: api(path),
      json: bodyOf(target.id),
      object: { place: `AI on ${target.place}`, readers },
    }))
  }

/** The requests for each route that reads; null for a POST that writes. */
export const rows: Record<string, Row | null> = {
  'GET /info/': once('info/'),
  'GET /api/versions/': once('/api/versions/'),
  'GET /openapi.json': once('openapi.json'),
  'GET /bootstrap/': once('bootstrap/'),
  'GET /settings/': once('settings/'),
  'GET /user/': all(
    once('user/'),
    ofPeople((username) => api(`user/?q=${username.slice(0, -2)}`), true),
  ),
  'GET /user/{username}/': ofPeople((username) => api(`user/${username}/`), true),
  'GET /user/{username}/contributions/': ofPeople((username) =>
    api(`user/${username}/contributions/`),
  ),
  'GET /user/{username}/export/': ofPeople((username) => api(`user/${username}/export/`)),
  'GET /api_key/': once('api_key/'),
  'GET /api_key/{api_id}/': ({ keys }) => keys.map((id) => ({ path: api(`api_key/${id}/`) })),
  'GET /ssh_key/': once('ssh_key/'),
  'GET /ssh_key/{api_id}/': ({ sshKeys }) => sshKeys.map((id) => ({ path: api(`ssh_key/${id}/`) })),
  ...circle('organization'),
  ...circle('workspace'),
  'GET /account/': once('account/'),
  'GET /staff_action/': once('staff_action/'),
  'GET /user_profile/notifications/': once('user_profile/notifications/'),
  'GET /account/{username}/sessions/': ofPeople((username) => api(`account/${username}/sessions/`)),
  'GET /organization/deleted/': once('organization/deleted/'),
  'GET /workspace/deleted/': once('workspace/deleted/'),
  'GET /organization/{id}/deleted/': ofEach('organization', 'deleted/'),
  'GET /workspace/{id}/deleted/': ofEach('workspace', 'deleted/'),
  'GET /workspace/{id}/overview/': ofEach('workspace', 'overview/'),
  'GET /workspace/{id}/dashboard/': ofEach('workspace', 'dashboard/'),
  'GET /workspace/{id}/recent/': ofEach('workspace', 'recent/'),
  'GET /workspace/{id}/stale/': ofEach('workspace', 'stale/'),
  ...container('analysis'),
  ...container('figure'),
  ...container('asset'),
  ...container('revision'),
  ...container('asset_revision'),
  ...container('story'),
  'GET /story/{id}/history/': ofEach('story', 'history/'),
  'GET /story/{id}/history/{number}/': ofEach('story', 'history/1/'),
  // The owner's exports have the most.
  'GET /story/{id}/export/{export_id}/': ({ exports }) =>
    exports.map(({ path, object, format, reader }) => ({
      path,
      object,
      ...(format !== 'pdf' && reader !== 'owner' && { by: [reader] }),
    })),
  ...core('data'),
  'GET /data/{id}/log/': ofEach('data', 'log/?deep=true'),
  'GET /data/{id}/thumbnail/{size}/': ofSome('data', 2, 'thumbnail/16/'),
  'GET /data/{id}/': all(ofEach('data', ''), ofSome('data', 0, '?dl=1'), inOldest('data')),
  'GET /data/{id}/storage/': ofSome('data', 1, 'storage/'),
  'GET /revision/{id}/status/': ofSome('revision', 0, 'status/'),
  'GET /asset_revision/{id}/status/': ofSome('asset_revision', 1, 'status/'),
  'GET /revision/{id}/comment_count/': ofSome('revision', 2, 'comment_count/'),
  'POST /asset/find_by_name/': ({ assetNames, objects }) => {
    const analyses = objects.filter(({ segment }) => segment === 'analysis')
    const [name] = assetNames
    const within = analyses.map(({ id: analysis }) => ({ name, analysis }))
    return post('asset/find_by_name/', ...assetNames.map((name) => ({ name })), ...within)
  },
  'POST /asset_revision/find_by_hash/': ({ digests, objects }) => {
    const analyses = objects.filter(({ segment }) => segment === 'analysis')
    const [digest] = digests
    const hashes = digests.map((digest) => ({ hash_type: 'blake3', digest }))
    const within = analyses.map(({ id }) => ({ hash_type: 'blake3', digest, analysis: id }))
    return post('asset_revision/find_by_hash/', ...hashes, ...within)
  },
  'POST /batch/': ({ objects }) => {
    const reads = objects.map(({ segment, id }) => ({ path: `${segment}/${id}/` }))
    return post('batch/', { requests: reads.slice(0, 100) })
  },
  'POST /search/': ({ objects }) => {
    const query = { query: markerPrefix, k: 100 }
    const workspaces = objects.filter(({ segment }) => segment === 'workspace')
    const byMetadata = { metadata: { format: 'text' }, k: 100 }
    const within = workspaces.map(({ id: workspace }) => ({ ...query, workspace }))
    return post(
      'search/',
      ...['keyword', 'text'].flatMap((search_type) =>
        [query, ...within, byMetadata].map((body) => ({ search_type, ...body })),
      ),
    )
  },
  'GET /ai_usage/': once('ai_usage/', 'ai_usage/?format=csv', 'ai_usage/?all=true'),
  'POST /deep_insight/': aiOn('deep_insight/', (id) => ({
    figure_revision: id,
    prompt: echoPrompt,
  })),
  'POST /deep_insight/compare/': aiOn(
    'deep_insight/compare/',
    (id) => ({
      left_revision: id,
      right_revision: id,
      prompt: echoPrompt,
    }),
    1,
  ),
  'POST /deep_insight/figure_code/': aiOn('deep_insight/figure_code/', (id) => ({
    figure_revision: id,
  })),
  'POST /deep_insight/datasets/': aiOn('deep_insight/datasets/', (id) => ({
    figure_revision: id,
  })),
  'POST /deep_insight/code_edit/': aiOn(
    'deep_insight/code_edit/',
    (id) => ({
      figure_revision: id,
      messages: [{ role: 'user', content: echoPrompt }],
      current_code: 'x = 1',
    }),
    2,
  ),
  'POST /deep_insight/text_only/': () =>
    post('deep_insight/text_only/', { text: 'A text', prompt: echoPrompt }),
  'POST /deep_insight/check/': ({ objects }) =>
    post(
      'deep_insight/check/',
      ...objects
        .filter(({ segment }) => segment === 'revision')
        .map(({ id }) => ({ figure_revision: id })),
    ),
  'GET /comment/': (fixture) =>
    discussionsOf(fixture).map(({ type, target, readers }) => ({
      path: api(commentsPath(type, target.id)),
      object: { place: `comments on ${target.place}`, readers },
    })),
  'GET /reaction/': ({ comments }) => {
    const first = comments.filter(({ kind }) => kind === 'first')
    const others = comments.filter(({ kind }) => kind !== 'first')
    return [...first, ...thirdOfEachKind(others, kindOfComment, 0)].map(
      ({ id, target, readers }) => ({
        path: api(`reaction/?comment_id=${id}`),
        object: { place: `reactions on ${target.place}`, readers },
      }),
    )
  },
  'GET /tasks/': once('tasks/'),
  'GET /tasks/{task_id}/': ({ tasks }) => tasks.map((id) => ({ path: api(`tasks/${id}/`) })),
  'GET /tasks/{task_id}/logs/': ({ tasks }) =>
    tasks.map((id) => ({ path: api(`tasks/${id}/logs/`) })),
  // A separate test checks the events.
  'GET /events/': () => [{ method: 'HEAD', path: api('events/') }],
  'GET /plan/': once('plan/'),
  'GET /compute/tiers/': once('compute/tiers/'),
  'GET /workspace/{id}/compute_instances/': ofEach('workspace', 'compute_instances/'),
  'GET /workspace/{id}/compute_instances/launch_options/': ofEach(
    'workspace',
    'compute_instances/launch_options/',
  ),
  'GET /workspace/{id}/compute_allowance/': ofEach('workspace', 'compute_allowance/'),
  'GET /workspace/{id}/compute_usage/': ofEach('workspace', 'compute_usage/'),
  'GET /organization/{id}/compute_usage/': ofEach('organization', 'compute_usage/?format=csv'),
  // Without a driver there are no instances.
  ...Object.fromEntries(
    ['', 'connect/', 'heartbeat/', 'events/', 'usage/'].map((suffix) => [
      `GET /compute/instance/{id}/${suffix}`,
      once(`compute/instance/${crypto.randomUUID()}/${suffix}`),
    ]),
  ),
  'GET /promotion_code/': once('promotion_code/'),
  'GET /billing/invoice/': once('billing/invoice/'),
  'GET /billing/invoice/{invoice_id}/': once(`billing/invoice/${randomUUID()}/`),
  'GET /metadata/{token}/': ({ metadataProxy }) => [{ path: api(metadataProxy) }],
  'HEAD /upload/{id}/': ({ upload }) => [{ method: 'HEAD', path: upload, headers: tus }],

  'GET /webhook/{api_id}/': ({ webhooks }) =>
    webhooks.map(({ id, object }) => ({ path: api(`webhook/${id}/`), object })),
  'GET /webhook/{api_id}/delivery/': ({ webhooks }) =>
    webhooks.map(({ id, object }) => ({ path: api(`webhook/${id}/delivery/`), object })),

  'GET /git_repository/{api_id}/': ({ repositories }) =>
    repositories.map(({ id, object }) => ({ path: api(`git_repository/${id}/`), object })),
  'GET /git_repository/{api_id}/import/': ({ repositories }) =>
    repositories.map(({ id, object }) => ({ path: api(`git_repository/${id}/import/`), object })),
  'GET /analysis/{id}/git_repository/': ofEach('analysis', 'git_repository/'),
  'GET /workspace/{id}/git_repository/': ofEach('workspace', 'git_repository/'),

  'POST /api/token/': null,
  'POST /api/token/refresh/': null,
  'POST /api/token/revoke/': null,
  'POST /user/': null,
  'POST /api_key/': null,
  'POST /ssh_key/': null,
  'POST /organization/': null,
  'POST /workspace/': null,
  'POST /analysis/': null,
  'POST /figure/': null,
  'POST /asset/': null,
  'POST /revision/': null,
  'POST /asset_revision/': null,
  'POST /story/': null,
  'POST /story/{id}/export/': null,
  'POST /story/{id}/history/{number}/restore/': null,
  'POST /comment/': null,
  'POST /reaction/': null,
  'POST /plan/': null,
  'POST /promotion_code/': null,
  'POST /metadata/': null,
  'POST /metadata/{token}/': null,
  'POST /upload/': null,
  'POST /upload/direct/': null,
  'POST /short_id_prefix/reserve/': null,
  'POST /api/token/device/': null,
  'POST /api/token/device/key/': null,
  'POST /api/password_reset/': null,
  'POST /api/password_reset/confirm/': null,
  ...Object.fromEntries(
    ['organization', 'workspace'].flatMap((segment) => [
      [`POST /${segment}/{id}/members/add/`, null],
      [`POST /${segment}/{id}/members/change/`, null],
      [`POST /${segment}/{id}/members/remove/`, null],
      [`POST /invitations/${segment}/`, null],
      [`POST /invitations/${segment}/{key}/accept/`, null],
      [`POST /${segment}/{id}/subscription/`, null],
      [`POST /${segment}/{id}/storage/`, null],
      [`POST /${segment}/{id}/storage/test/`, null],
      [`POST /${segment}/{id}/webhook/`, null],
      [`POST /${segment}/{id}/billing/checkout/`, null],
      [`POST /${segment}/{id}/billing/portal/`, null],
    ]),
  ),
  'POST /billing/invoice/{invoice_id}/credit_note/': null,
  'POST /billing/invoice/{invoice_id}/mark_paid/': null,
  'POST /billing/stripe/': null,
  'POST /analysis/{id}/git_repository/': null,
  'POST /workspace/{id}/git_repository/': null,
  'POST /git_repository/{api_id}/rotate_secret/': null,
  'POST /git_repository/{api_id}/import/': null,
  'POST /git_repository/{api_id}/push/': null,
  'POST /webhook/{api_id}/test/': null,
  'POST /webhook/{api_id}/rotate_secret/': null,
  'POST /webhook_delivery/{api_id}/redeliver/': null,
  'POST /workspace/{id}/promotion/': null,
  'POST /workspace/{id}/compute_instances/': null,
  ...Object.fromEntries(
    ['start', 'stop', 'terminate', 'change-tier'].map((command) => [
      `POST /compute/instance/{id}/${command}/`,
      null,
    ]),
  ),
  ...Object.fromEntries(
    [
      'organization',
      'workspace',
      'analysis',
      'figure',
      'asset',
      'revision',
      'asset_revision',
      'story',
    ]
      .flatMap((segment) =>
        ['share/user', 'share/link', 'restore'].map((path) => `POST /${segment}/{id}/${path}/`),
      )
      .map((route) => [route, null]),
  ),
  'POST /figure/{id}/still_right/': null,
  'POST /revision/auto-assign/': null,
  'POST /revision/{id}/append_data/': null,
  'POST /revision/{id}/derive/': null,
  'POST /revision/{id}/generate_description/': null,
  'POST /asset_revision/{id}/unlink_figure/': null,
  'POST /comment/{id}/create_ai_response/': null,
  'POST /deep_insight/story/slide/generate/': null,
  'POST /deep_insight/story/slide/detail/': null,
  'POST /deep_insight/story/figure/': null,
  'POST /deep_insight/story/overviews/': null,
  'POST /deep_insight/story/refine/': null,
  'POST /deep_insight/story/generate/': null,
  'POST /deep_insight/story/refine_async/': null,
  'POST /tasks/{task_id}/cancel/': null,
  'POST /user/{username}/activate/': null,
  'POST /user/{username}/deactivate/': null,
  'POST /user/{username}/staff/': null,
  'POST /user/{username}/verify_email/': null,
}

/** The requests for each page. */
export const pageRows: Record<string, Row | null> = {
  // The same page as that of the revision.
  'GET /r/{id}/': (fixture) =>
    someOf(fixture, 'revision', 0).map((object) => ({ path: `/r/${object.id}/`, object })),
  'GET /revision/{id}/': page('revision'),
  'GET /asset_revision/{id}/': page('asset_revision'),
  'GET /r/{id}/picture/': (fixture) =>
    someOf(fixture, 'revision', 1).map((object) => ({ path: `/r/${object.id}/picture/`, object })),
  ...formsBelow('asset_revision', 'picture', 'share'),
  ...formsBelow('figure', 'picture', 'share', 'activity'),
  ...formsBelow('asset', 'picture', 'share', 'activity'),
  ...formsBelow('analysis', 'picture'),
  ...pagesBelow('workspace', 'picture'),
  'GET /figure/{id}/compare/': comparisons('figure', 'revision'),
  'GET /asset/{id}/compare/': comparisons('asset', 'asset_revision'),
  'GET /figure/{id}/': page('figure'),
  'GET /analysis/{id}/': page('analysis'),
  'GET /asset/{id}/': page('asset'),
  'GET /workspace/{id}/': page('workspace'),
  'GET /organization/{id}/': page('organization'),
  'GET /story/{id}/': page('story'),
  'GET /story/{id}/present/': (fixture) =>
    objectsOf(fixture, 'story').map((object) => ({ path: `/story/${object.id}/present/`, object })),
  'GET /story/{id}/picture/{revision}/': (fixture) =>
    pairs(fixture, 'story', 'revision', ({ id }, { told }) => Boolean(told?.includes(id))).map(
      ({ id, object }) => ({ path: `/story/${id}/picture/${object.id}/`, object }),
    ),
  'GET /': once('/'),
  'GET /events/': () => [{ method: 'HEAD', path: '/events/' }],
  'GET /search/': (fixture) =>
    [
      '',
      '&by=any',
      '&by=meaning',
      '&kind=revision&meta=format%3Dtext',
      ...objectsOf(fixture, 'analysis').map(({ id }) => `&analysis=${id}`),
      ...objectsOf(fixture, 'workspace').map(({ id }) => `&workspace=${id}`),
    ].map((more) => ({ path: `/search/?q=marker${more}` })),
  'GET /notebooks/': once('/notebooks/'),
  'GET /notebook/{id}/': once(`/notebook/${randomUUID()}/`),
  'GET /notebook/{id}/open/': once(`/notebook/${randomUUID()}/open/`),
  'GET /notebook/{id}/terminate/': once(`/notebook/${randomUUID()}/terminate/`),
  'GET /workspace/': once('/workspace/'),
  'GET /activity/': once('/activity/'),
  'GET /organization/': once('/organization/'),
  'GET /workspace/deleted/': once('/workspace/deleted/'),
  'GET /organization/deleted/': once('/organization/deleted/'),
  'GET /new/workspace/': once('/new/workspace/'),
  'GET /new/organization/': once('/new/organization/'),
  ...pagesBelow('organization', 'activity', 'deleted', 'members', 'storage', 'usage', 'webhooks'),
  ...pagesBelow('workspace', 'activity', 'deleted', 'members', 'storage', 'usage', 'webhooks'),
  ...pagesBelow('organization', 'billing'),
  ...pagesBelow('workspace', 'billing'),
  'GET /organization/{id}/billing/{invoice}/': below('organization', `billing/${randomUUID()}`),
  'GET /workspace/{id}/billing/{invoice}/': below('workspace', `billing/${randomUUID()}`),
  ...Object.fromEntries(
    ['', 'delete/'].map((suffix): [string, Row] => [
      `GET /webhook/{id}/${suffix}`,
      ({ webhooks }) =>
        webhooks.map(({ id, object }) => ({ path: `/webhook/${id}/${suffix}`, object })),
    ]),
  ),
  ...Object.fromEntries(
    ['', 'delete/'].map((suffix): [string, Row] => [
      `GET /git-repository/{id}/${suffix}`,
      ({ repositories }) =>
        repositories.map(({ id, object }) => ({ path: `/git-repository/${id}/${suffix}`, object })),
    ]),
  ),
  ...formsBelow('workspace', 'repositories'),
  ...formsBelow('analysis', 'repositories'),
  ...formsBelow('analysis', 'activity', 'move', 'share'),
  ...formsBelow('organization', 'edit', 'delete', 'new/workspace'),
  ...formsBelow('workspace', 'edit', 'delete', 'new/analysis', 'new/asset'),
  ...formsBelow('analysis', 'publish', 'edit', 'delete', 'new/figure', 'new/asset'),
  ...formsBelow('figure', 'publish', 'edit', 'delete', 'move'),
  ...formsBelow('asset', 'edit', 'delete', 'move'),
  ...pagesOfRemoval('organization'),
  ...pagesOfRemoval('workspace'),
  ...pagesBelow('story', 'history'),
  ...formsBelow('story', 'share'),
  ...formsBelow('story', 'edit', 'slide', 'export', 'delete', 'move'),
  ...formsBelow('workspace', 'new/story', 'notebooks', 'stale'),
  ...formsBelow('analysis', 'new/story'),
  ...formsBelow('revision', 'ask', 'share'),
  'GET /story/{id}/history/{number}/': below('story', 'history/1'),
  'GET /story/{id}/task/{task}/': below('story', `task/${randomUUID()}`),
  'GET /story/{id}/export/{export_id}/': below('story', `export/${randomUUID()}`),
  ...pagesOfComments('figure'),
  ...pagesOfComments('revision'),
  ...pagesOfComments('asset'),
  ...pagesOfComments('asset_revision'),
  'GET /data/{id}/': (fixture) =>
    someOf(fixture, 'data', 2).map((object) => ({ path: `/data/${object.id}/`, object })),
  'GET /invitations/{kind}/{token}/': ({ invitations }) => [
    { path: `/invitations/workspace/${invitations.workspace}/` },
  ],
  'GET /sign-in/': once('/sign-in/', '/sign-in/?next=/figure/'),
  'GET /sign-in/sso/': once('/sign-in/sso/'),
  'GET /sign-in/callback/': once('/sign-in/callback/'),
  'GET /account/': once('/account/'),
  'GET /account/password/': once('/account/password/'),
  'GET /account/api-keys/': once('/account/api-keys/'),
  'GET /account/api-keys/{id}/delete/': ({ keys }) =>
    keys.map((id) => ({ path: `/account/api-keys/${id}/delete/` })),
  'GET /account/ssh-keys/': once('/account/ssh-keys/'),
  'GET /account/ssh-keys/{id}/delete/': ({ sshKeys }) =>
    sshKeys.map((id) => ({ path: `/account/ssh-keys/${id}/delete/` })),
  'GET /account/notifications/': once('/account/notifications/'),
  'GET /unsubscribe/{token}/': once('/unsubscribe/x/'),
  'GET /account/sessions/': once('/account/sessions/'),
  'GET /account/sessions/end/': once('/account/sessions/end/'),
  'GET /account/data/': once('/account/data/'),
  'GET /account/usage/': once('/account/usage/'),
  'GET /account/data/figbase-account.json': once('/account/data/figbase-account.json'),
  'GET /account/delete/': once('/account/delete/'),
  'GET /account/deleted/': once('/account/deleted/'),
  'GET /sign-up/': once('/sign-up/', '/sign-up/?next=/figure/'),
  'GET /admin/': once('/admin/'),
  'GET /admin/accounts/': once('/admin/accounts/'),
  'GET /admin/plans/': once('/admin/plans/'),
  'GET /admin/plans/new/': once('/admin/plans/new/'),
  'GET /admin/plans/{id}/': once(`/admin/plans/${unknownId}/`),
  'GET /admin/plans/{id}/delete/': once(`/admin/plans/${unknownId}/delete/`),
  'GET /admin/invoices/': once('/admin/invoices/'),
  'GET /admin/invoices/{id}/': once(`/admin/invoices/${randomUUID()}/`),
  'GET /admin/promotions/': once('/admin/promotions/'),
  'GET /admin/promotions/{code}/delete/': once('/admin/promotions/SPRING-2026/delete/'),
  'GET /admin/services/': once('/admin/services/'),
  'GET /admin/services/{name}/': once(
    '/admin/services/search/',
    '/admin/services/identity/?kind=job',
  ),
  'GET /admin/storage/': once('/admin/storage/', '/admin/storage/?of=organization'),
  'GET /admin/log/': once('/admin/log/'),
  'GET /admin/accounts/{username}/': ofPeople((username) => `/admin/accounts/${username}/`),
  'GET /device/': once('/device/', '/device/?code=BCDF-GHJK'),
  'GET /device/allowed/': once('/device/allowed/'),
  'GET /device/refused/': once('/device/refused/'),
  'GET /password-reset/': once('/password-reset/'),
  'GET /password-reset/sent/': once('/password-reset/sent/'),
  'GET /password-reset/done/': once('/password-reset/done/'),
  'GET /password-reset/{token}/': once('/password-reset/x/'),
  'GET /docs/': once('/docs/'),
  'GET /docs/all/': once('/docs/all/'),
  'GET /docs/{page}/': once('/docs/concepts/', '/docs/x/'),
  'GET /docs/api/': once('/docs/api/', '/docs/api/?version=v1'),
  'GET /docs/api/assets/{name}/': once('/docs/api/assets/reference.js/', '/docs/api/assets/x/'),
  'GET /assets/{name}/': once('/assets/x/'),
  'GET /docs/images/{name}/': once('/docs/images/revision-page.png', '/docs/images/x/'),
  'GET /verify-email/done/': once('/verify-email/done/'),
  'GET /verify-email/{token}/': once('/verify-email/x/'),
}
