import { create } from '@bufbuild/protobuf'
import { toTimestamp } from '@figbase/kit/db'
import type { Node } from '@figbase/proto/catalog'
import {
  RevisionState,
  type Slide as SlideMessage,
  SlideSchema,
  type Story,
  StorySchema,
  type StoryVersion,
  StoryVersionSchema,
  type ToldRevision,
  ToldRevisionSchema,
} from '@figbase/proto/stories'
import type { VersionRow } from './db/schema.js'
import type { Content, Slide } from './domain/content.js'
import { slideTypeOf } from './domain/parse-slides.js'
import { withoutOwnedMembers } from './domain/server-owned.js'
import type { CurrentStory } from './queries/stories.js'
import type { VersionSummary } from './queries/versions.js'
import type { Told } from './told.js'

type StoredContent = Pick<VersionRow, 'name' | 'description' | 'revision_ids' | 'slides'>

export const toContent = (row: StoredContent): Content => ({
  name: row.name,
  description: row.description,
  revisionIds: row.revision_ids,
  slides: JSON.parse(row.slides) as Slide[],
})

/** A story as the caller may see it. `node` may be older than the content. */
export function toStory(
  story: Pick<CurrentStory, 'version' | 'generation_status' | 'revisions_visible'>,
  content: Content,
  node: Node,
  told: Told,
): Story {
  const { version, generation_status, revisions_visible } = story
  const { name, description } = content
  return create(StorySchema, {
    node: { ...node, name, ...(description !== null && { description }) },
    version,
    revisions: toToldRevisions(content, told),
    slides: toSlides(content, told),
    generationStatus: generation_status ?? '',
    revisionsVisible: revisions_visible,
  })
}

export const toToldRevisions = ({ revisionIds }: Content, told: Told): ToldRevision[] =>
  revisionIds.map((id) => {
    const node = told.nodeOf(id)
    return create(ToldRevisionSchema, { id, state: told.stateOf(id), ...(node && { node }) })
  })

export const toSlides = ({ slides }: Content, told: Told): SlideMessage[] =>
  slides.map(({ id, type, content, revisionId, data }, position) => {
    const revisionState = revisionId ? told.stateOf(revisionId) : RevisionState.UNSPECIFIED
    const isHidden = revisionId !== null && !isShown(revisionState)
    return create(SlideSchema, {
      id,
      type: slideTypeOf(type),
      position,
      content,
      revisionId: revisionId ?? '',
      dataJson: isHidden ? withoutOwnedMembers(data) : data,
      revisionState,
    })
  })

/** Whether the caller sees the revision, at least through the story. */
const isShown = (state: RevisionState) =>
  state === RevisionState.VISIBLE || state === RevisionState.OPENED

export const toVersion = ({ version, saved_by, saved_on }: VersionSummary): StoryVersion =>
  create(StoryVersionSchema, { version, savedBy: saved_by, savedOn: toTimestamp(saved_on) })
