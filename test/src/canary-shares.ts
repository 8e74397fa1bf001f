import {
  insiders,
  type People,
  type Planted,
  type Reader,
  readers,
  recipients,
} from './canary-people.js'
import type { Client } from './client.js'
import { newComment, newReaction, type TargetType } from './comments.js'
import { png } from './pictures.js'
import { base64, newAsset, newAssetRevision, newRevision, processed } from './publish.js'
import type { AssetRevision, DataToSend, Revision } from './resources.js'

export type Segment =
  | 'organization'
  | 'workspace'
  | 'analysis'
  | 'figure'
  | 'revision'
  | 'asset'
  | 'asset_revision'
  | 'data'

/** An object of the world, and who may view it. */
export interface Thing {
  segment: Segment
  id: string
  place: string
  readers: readonly Reader[]
}

/** What is said, and who takes part in it. */
export interface Talk {
  id: string
  type: TargetType
  target: Thing
  readers: readonly Reader[]
}

export interface Shared {
  things: Thing[]
  talks: Talk[]
  assetNames: string[]
}

type Way = 'user' | 'link'
const audiences: Record<Way, readonly Reader[]> = { user: recipients, link: readers }
const targetTypes: Partial<Record<Segment, TargetType>> = {
  figure: 'figure',
  revision: 'figure_revision',
  asset: 'asset',
  asset_revision: 'asset_revision',
}

/**
 * In one workspace, objects of each kind that are shared in one way, each among others that are not: above,
 * beside and below it, behind a link to data, and gone. A colleague makes what is not shared.
 */
export async function shareAmongOthers(
  way: Way,
  workspace: string,
  people: People,
  canaries: Planted,
): Promise<Shared> {
  const { owner, colleague, commenter, member, recipient } = people
  const viewers = audiences[way]
  const things: Thing[] = []
  const talks: Talk[] = []
  const assetNames: string[] = []

  /** By the owner and shared, or by the colleague and not. */
  const maker = (isShared: boolean) => (isShared ? owner.api : colleague.api)
  const audience = (isShared: boolean) => (isShared ? viewers : insiders)
  const keep = (segment: Segment, id: string, place: string, isShared: boolean) => {
    const thing = { segment, id, place, readers: audience(isShared) }
    things.push(thing)
    return thing
  }
  const text = (place: string, isShared: boolean) => canaries.plant(place, audience(isShared))
  const named = (place: string, isShared: boolean) => ({
    name: text(`name of ${place}`, isShared),
    description: text(`description of ${place}`, isShared),
  })
  async function make(
    segment: 'analysis' | 'figure',
    parent: object,
    what: string,
    isShared: boolean,
  ) {
    const place = `${what} (${way})`
    const body = { ...named(place, isShared), ...parent }
    const { api_id } = (await maker(isShared).post<{ api_id: string }>(`${segment}/`, body)).body
    return keep(segment, api_id, place, isShared)
  }
  async function makeAsset(what: string, isShared: boolean, more: object = {}) {
    const place = `${what} (${way})`
    const texts = named(place, isShared)
    assetNames.push(texts.name)
    const { api_id } = await newAsset(maker(isShared), workspace, { ...texts, ...more })
    return keep('asset', api_id, place, isShared)
  }

  /** A file with its name, its metadata and what is in it. */
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
    data: base64(png(16, 16, things.length)),
  })
  const keepRevision = (
    segment: 'revision' | 'asset_revision',
    { api_id, data }: Pick<Revision, 'api_id' | 'data'>,
    place: string,
    isShared: boolean,
  ) => {
    for (const one of data ?? []) keep('data', one.api_id, `data of ${place}`, isShared)
    return keep(segment, api_id, place, isShared)
  }
  async function publish(
    figure: Thing,
    what: string,
    isShared: boolean,
    more: { isDataShared?: boolean; assets?: object[] } = {},
  ) {
    const place = `${what} (${way})`
    const { isDataShared = isShared, assets = [] } = more
    const data = [fileOf(place, isDataShared, 'code')]
    if (assets.length > 0) data.push(picture(place, isDataShared))
    const me = maker(isShared)
    const { api_id } = await newRevision(me, figure.id, data, {
      metadata: { note: text(`metadata of ${place}`, isShared) },
      description: text(`description of ${place}`, isShared),
      assets,
    })
    const revision = await processed<Revision>(me, api_id)
    return keepRevision('revision', revision, place, isShared)
  }
  async function publishAsset(asset: Thing, what: string, isShared: boolean) {
    const place = `${what} (${way})`
    const me = maker(isShared)
    const metadata = { note: text(`metadata of ${place}`, isShared) }
    const { api_id } = await newAssetRevision(me, asset.id, [fileOf(place, isShared)], { metadata })
    const revision = await processed<AssetRevision>(me, api_id, 'asset_revision')
    return keepRevision('asset_revision', revision, place, isShared)
  }
  const uses = ({ id: asset_revision }: Thing) => ({ asset_revision, use_type: 'direct' })

  const analysis = await make('analysis', { workspace }, 'analysis above', false)
  const inAnalysis = { analysis: analysis.id }
  const asset = await makeAsset('asset behind a link to data', false)
  const assetRevision = await publishAsset(asset, 'asset revision behind a link to data', false)

  const figure = await make('figure', inAnalysis, 'figure', true)
  const beside = await make('figure', inAnalysis, 'figure beside', false)
  // Its data is derived from below, and so in the shared figure, too.
  const source = await publish(beside, 'source of a derived revision', false, {
    isDataShared: true,
  })
  const revision = await publish(figure, 'revision', true, { assets: [uses(assetRevision)] })
  const derive = async (me: Client, from: Thing, to: Thing, place: string, isShared: boolean) => {
    const metadata = { note: text(`metadata of ${place}`, isShared) }
    const path = `revision/${from.id}/derive/`
    const made = (await me.post<Revision>(path, { figure: to.id, metadata })).body
    keepRevision('revision', await processed<Revision>(me, made.api_id), place, isShared)
  }
  await derive(owner.api, source, figure, `derived revision (${way})`, true)
  await derive(colleague.api, revision, beside, `revision derived by others (${way})`, false)

  const above = await make('figure', inAnalysis, 'figure above a revision', false)
  const alone = await publish(above, 'revision shared alone', true)
  const sharedAsset = await makeAsset('asset', true)
  const sharedData = await publishAsset(sharedAsset, 'asset revision', true)
  await publish(above, 'revision beside', false, { assets: [uses(sharedData)] })

  const assetAbove = await makeAsset('asset above a revision', false)
  const dataAlone = await publishAsset(assetAbove, 'asset revision shared alone', true)
  await publishAsset(assetAbove, 'asset revision beside', false)

  const open = await make('analysis', { workspace }, 'analysis', true)
  const inOpen = await make('figure', { analysis: open.id }, 'figure in the analysis', true)
  await publish(inOpen, 'revision in the analysis', true)
  await makeAsset('asset of the analysis', false, { analysis: open.id })

  await leaveTraces(analysis, figure)
  await Promise.all(things.map(discuss))
  const roots: Thing[] = [figure, alone, sharedAsset, dataAlone, open]
  const share =
    way === 'link' ? { enabled: true } : { username: recipient.username, sharing_enabled: true }
  for (const { segment, id } of roots) {
    await owner.api.post(`${segment}/${id}/share/${way}/`, share, 200)
  }
  if (way === 'user') await answer()
  return { things, talks, assetNames }

  /** What was renamed or deleted. */
  async function leaveTraces(analysis: Thing, figure: Thing) {
    const path = `${analysis.segment}/${analysis.id}/`
    const { body } = await colleague.api.get<{ name: string }>(path)
    const hidden = { shownTo: [] }
    const name = canaries.plant(`former name of ${analysis.place}`, insiders, hidden)
    await colleague.api.patch(path, { name })
    await colleague.api.patch(path, { name: body.name })
    const gone = {
      name: canaries.plant('name of a deleted figure', insiders, hidden),
      ...inAnalysis,
    }
    const { api_id } = (await colleague.api.post<{ api_id: string }>('figure/', gone)).body
    await colleague.api.delete(`figure/${api_id}/`)
    const metadata = { note: canaries.plant('metadata of a deleted revision', [], hidden) }
    const deleted = await newRevision(owner.api, figure.id, [], { metadata })
    await owner.api.delete(`revision/${deleted.api_id}/`)
  }

  /** A comment that was edited, an answer with a reaction, and one that was deleted. */
  async function discuss(target: Thing) {
    const type = targetTypes[target.segment]
    if (!type) return
    const participants = way === 'link' ? insiders : target.readers
    const said = (what: string, by: readonly Reader[]) =>
      canaries.plant(`${what} on ${target.place}`, by)
    const say = (me: Client, content: string, answered?: string) =>
      newComment(me, type, target.id, content, answered)
    const { id } = await say(commenter.api, said('comment before its change', []))
    const content = `${said('comment', participants)} @${member.username}`
    await commenter.api.put(`comment/${id}/`, { content })
    const reply = await say(member.api, said('answer', participants), id)
    const gone = await say(commenter.api, said('deleted comment', []), id)
    await commenter.api.delete(`comment/${gone.id}/`)
    for (const one of [id, reply.id]) {
      canaries.add(one, `id of a comment on ${target.place}`, participants)
      talks.push({ id: one, type, target, readers: participants })
    }
    const reaction = await newReaction(member.api, id)
    canaries.add(reaction.id, `id of a reaction on ${target.place}`, participants)
  }

  /** What the recipient says where only that revision is shared. */
  async function answer() {
    const content = canaries.plant(`comment of the recipient on ${alone.place}`, viewers)
    const { id } = await newComment(recipient.api, 'figure_revision', alone.id, content)
    talks.push({ id, type: 'figure_revision', target: alone, readers: viewers })
  }
}
