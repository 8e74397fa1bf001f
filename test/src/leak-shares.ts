import type { Client } from './client.js'
import { newComment, newReaction, type TargetType } from './comments.js'
import { png } from './images.js'
import {
  insiders,
  type People,
  type Reader,
  type ReaderLeakDetector,
  readers,
  recipients,
} from './leak-users.js'
import { base64, newAsset, newAssetRevision, newRevision, processed } from './publish.js'
import type { AssetRevision, DataToSend, Revision } from './resources.js'
import { newStory } from './stories.js'

export type Segment =
  | 'organization'
  | 'workspace'
  | 'analysis'
  | 'figure'
  | 'revision'
  | 'asset'
  | 'asset_revision'
  | 'data'
  | 'story'

/** An object, and the readers who may view it. */
export interface TestObject {
  segment: Segment
  id: string
  place: string
  readers: readonly Reader[]
  /** How it is shared, or that it is private. */
  kind: string
  /** The figure or asset of a revision, or the revision of data. */
  parent?: string
  /** The revisions that a story tells. */
  told?: readonly string[]
}

/** A comment, and the readers who may view it. */
export interface TestComment {
  id: string
  type: TargetType
  target: TestObject
  readers: readonly Reader[]
  /** Each first comment has a reaction. */
  kind: 'first' | 'answer' | 'of the recipient'
}

export interface Shared {
  objects: TestObject[]
  comments: TestComment[]
  assetNames: string[]
}

type ShareType = 'user' | 'link'
const audiences: Record<ShareType, readonly Reader[]> = { user: recipients, link: readers }
const targetTypes: Partial<Record<Segment, TargetType>> = {
  figure: 'figure',
  revision: 'figure_revision',
  asset: 'asset',
  asset_revision: 'asset_revision',
}

/**
 * Creates objects of each type in a workspace that are shared in one way, next to others that are not shared: above,
 * beside and below them, linked to them, and deleted. A colleague creates those that are not shared.
 */
export async function createShared(
  shareType: ShareType,
  workspace: string,
  people: People,
  detector: ReaderLeakDetector,
): Promise<Shared> {
  const { owner, colleague, commenter, member, recipient } = people
  const viewers = audiences[shareType]
  const objects: TestObject[] = []
  const comments: TestComment[] = []
  const assetNames: string[] = []

  /** The owner creates shared objects, the colleague the others. */
  const creator = (isShared: boolean) => (isShared ? owner.api : colleague.api)
  const audience = (isShared: boolean) => (isShared ? viewers : insiders)
  const register = (
    segment: Segment,
    id: string,
    place: string,
    isShared: boolean,
    more: Pick<TestObject, 'parent' | 'told'> = {},
  ) => {
    const kind = isShared ? `shared by ${shareType}` : 'private'
    const object = { segment, id, place, readers: audience(isShared), kind, ...more }
    objects.push(object)
    return object
  }
  const text = (place: string, isShared: boolean) =>
    detector.createMarker(place, audience(isShared))
  const textsFor = (place: string, isShared: boolean) => ({
    name: text(`name of ${place}`, isShared),
    description: text(`description of ${place}`, isShared),
  })
  async function createNode(
    segment: 'analysis' | 'figure',
    parent: object,
    what: string,
    isShared: boolean,
  ) {
    const place = `${what} (${shareType})`
    const body = { ...textsFor(place, isShared), ...parent }
    const { api_id } = (await creator(isShared).post<{ api_id: string }>(`${segment}/`, body)).body
    return register(segment, api_id, place, isShared)
  }
  async function createAsset(what: string, isShared: boolean, more: object = {}) {
    const place = `${what} (${shareType})`
    const texts = textsFor(place, isShared)
    assetNames.push(texts.name)
    const { api_id } = await newAsset(creator(isShared), workspace, { ...texts, ...more })
    return register('asset', api_id, place, isShared)
  }

  /** A file with markers in its name, metadata and content. */
  const fileOf = (place: string, isShared: boolean, type = 'file'): DataToSend => ({
    name: text(`name of the ${type} of ${place}`, isShared),
    type,
    metadata: { format: 'text', note: text(`metadata of the ${type} of ${place}`, isShared) },
    data: base64(Buffer.from(`# ${text(`content of the ${type} of ${place}`, isShared)}\n`)),
  })
  const picture = (place: string, isShared: boolean): DataToSend => ({
    name: text(`name of the picture of ${place}`, isShared),
    type: 'image',
    metadata: { format: 'png', note: text(`metadata of the picture of ${place}`, isShared) },
    data: base64(png(16, 16, objects.length)),
  })
  const registerRevision = (
    segment: 'revision' | 'asset_revision',
    { api_id, data }: Pick<Revision, 'api_id' | 'data'>,
    place: string,
    isShared: boolean,
    parent: string,
  ) => {
    for (const one of data ?? []) {
      register('data', one.api_id, `data of ${place}`, isShared, { parent: api_id })
    }
    return register(segment, api_id, place, isShared, { parent })
  }
  async function publish(
    figure: TestObject,
    what: string,
    isShared: boolean,
    more: { isDataShared?: boolean; assets?: object[] } = {},
  ) {
    const place = `${what} (${shareType})`
    const { isDataShared = isShared, assets = [] } = more
    const data = [fileOf(place, isDataShared, 'code')]
    if (assets.length > 0) data.push(picture(place, isDataShared))
    const me = creator(isShared)
    const { api_id } = await newRevision(me, figure.id, data, {
      metadata: { note: text(`metadata of ${place}`, isShared) },
      description: text(`description of ${place}`, isShared),
      assets,
    })
    const revision = await processed<Revision>(me, api_id)
    return registerRevision('revision', revision, place, isShared, figure.id)
  }
  async function publishAsset(asset: TestObject, what: string, isShared: boolean) {
    const place = `${what} (${shareType})`
    const me = creator(isShared)
    const metadata = { note: text(`metadata of ${place}`, isShared) }
    const { api_id } = await newAssetRevision(me, asset.id, [fileOf(place, isShared)], { metadata })
    const revision = await processed<AssetRevision>(me, api_id, 'asset_revision')
    return registerRevision('asset_revision', revision, place, isShared, asset.id)
  }
  /** A story that tells these revisions. Its first version had another slide. */
  async function createStory(what: string, isShared: boolean, told: TestObject[]) {
    const place = `${what} (${shareType})`
    const me = creator(isShared)
    const removed = detector.createMarker(`removed slide of ${place}`, insiders, { shownTo: [] })
    const slides = told.map((revision) => ({
      slide_type: 'figure',
      content: text(`slide about ${revision.place} of ${place}`, isShared),
      revision_id: revision.id,
    }))
    const first = [{ slide_type: 'custom', content: removed }, ...slides]
    const { api_id } = await newStory(me, workspace, {
      ...textsFor(place, isShared),
      slides: first,
    })
    await me.patch(`story/${api_id}/`, { slides })
    return register('story', api_id, place, isShared, { told: told.map(({ id }) => id) })
  }
  const uses = ({ id: asset_revision }: TestObject) => ({ asset_revision, use_type: 'direct' })

  const analysis = await createNode('analysis', { workspace }, 'analysis above', false)
  const inAnalysis = { analysis: analysis.id }
  const asset = await createAsset('asset behind a link to data', false)
  const assetRevision = await publishAsset(asset, 'asset revision behind a link to data', false)

  const figure = await createNode('figure', inAnalysis, 'figure', true)
  const beside = await createNode('figure', inAnalysis, 'figure beside', false)
  // The shared figure contains a derived revision with the same data.
  const source = await publish(beside, 'source of a derived revision', false, {
    isDataShared: true,
  })
  const revision = await publish(figure, 'revision', true, { assets: [uses(assetRevision)] })
  const derive = async (
    me: Client,
    from: TestObject,
    to: TestObject,
    place: string,
    isShared: boolean,
  ) => {
    const metadata = { note: text(`metadata of ${place}`, isShared) }
    const path = `revision/${from.id}/derive/`
    const made = (await me.post<Revision>(path, { figure: to.id, metadata })).body
    const derived = await processed<Revision>(me, made.api_id)
    registerRevision('revision', derived, place, isShared, to.id)
  }
  await derive(owner.api, source, figure, `derived revision (${shareType})`, true)
  await derive(colleague.api, revision, beside, `revision derived by others (${shareType})`, false)

  const above = await createNode('figure', inAnalysis, 'figure above a revision', false)
  const alone = await publish(above, 'revision shared alone', true)
  const sharedAsset = await createAsset('asset', true)
  const sharedData = await publishAsset(sharedAsset, 'asset revision', true)
  const hidden = await publish(above, 'revision beside', false, { assets: [uses(sharedData)] })

  const assetAbove = await createAsset('asset above a revision', false)
  const dataAlone = await publishAsset(assetAbove, 'asset revision shared alone', true)
  await publishAsset(assetAbove, 'asset revision beside', false)

  const open = await createNode('analysis', { workspace }, 'analysis', true)
  const inOpen = await createNode('figure', { analysis: open.id }, 'figure in the analysis', true)
  // The shared figure is stale, because of an asset that is not shared.
  const inAnalysisUses = { assets: [uses(assetRevision)] }
  await publish(inOpen, 'revision in the analysis', true, inAnalysisUses)
  await publishAsset(asset, 'newer asset revision behind a link to data', false)
  await createAsset('asset of the analysis', false, { analysis: open.id })

  const story = await createStory('story', true, [alone, hidden])
  await createStory('story beside', false, [alone])

  await createLogEntries(analysis, figure)
  await Promise.all(objects.map(createComments))
  const roots: TestObject[] = [figure, alone, sharedAsset, dataAlone, open, story]
  const share =
    shareType === 'link'
      ? { enabled: true }
      : { username: recipient.username, sharing_enabled: true }
  for (const { segment, id } of roots) {
    await owner.api.post(`${segment}/${id}/share/${shareType}/`, share, 200)
  }
  if (shareType === 'user') await createRecipientComment()
  return { objects, comments, assetNames }

  /** Renames and deletes objects, which leaves log entries. */
  async function createLogEntries(analysis: TestObject, figure: TestObject) {
    const path = `${analysis.segment}/${analysis.id}/`
    const { body } = await colleague.api.get<{ name: string }>(path)
    const hidden = { shownTo: [] }
    const name = detector.createMarker(`former name of ${analysis.place}`, insiders, hidden)
    await colleague.api.patch(path, { name })
    await colleague.api.patch(path, { name: body.name })
    const gone = {
      name: detector.createMarker('name of a deleted figure', insiders, hidden),
      ...inAnalysis,
    }
    const { api_id } = (await colleague.api.post<{ api_id: string }>('figure/', gone)).body
    await colleague.api.delete(`figure/${api_id}/`)
    const metadata = { note: detector.createMarker('metadata of a deleted revision', [], hidden) }
    const deleted = await newRevision(owner.api, figure.id, [], { metadata })
    await owner.api.delete(`revision/${deleted.api_id}/`)
  }

  /** Creates an edited comment, an answer with a reaction, and a deleted comment. */
  async function createComments(target: TestObject) {
    const type = targetTypes[target.segment]
    if (!type) return
    const participants = shareType === 'link' ? insiders : target.readers
    const commentText = (what: string, by: readonly Reader[]) =>
      detector.createMarker(`${what} on ${target.place}`, by)
    const writeComment = (me: Client, content: string, answered?: string) =>
      newComment(me, type, target.id, content, answered)
    const { id } = await writeComment(commenter.api, commentText('comment before its change', []))
    const content = `${commentText('comment', participants)} @${member.username}`
    await commenter.api.put(`comment/${id}/`, { content })
    const reply = await writeComment(member.api, commentText('answer', participants), id)
    const gone = await writeComment(commenter.api, commentText('deleted comment', []), id)
    await commenter.api.delete(`comment/${gone.id}/`)
    for (const [one, kind] of [
      [id, 'first'],
      [reply.id, 'answer'],
    ] as const) {
      detector.add(one, `id of a comment on ${target.place}`, participants)
      comments.push({ id: one, type, target, readers: participants, kind })
    }
    const reaction = await newReaction(member.api, id)
    detector.add(reaction.id, `id of a reaction on ${target.place}`, participants)
  }

  /** Creates a comment by the recipient on a revision that is shared alone. */
  async function createRecipientComment() {
    const content = detector.createMarker(`comment of the recipient on ${alone.place}`, viewers)
    const { id } = await newComment(recipient.api, 'figure_revision', alone.id, content)
    const kind = 'of the recipient'
    comments.push({ id, type: 'figure_revision', target: alone, readers: viewers, kind })
  }
}
