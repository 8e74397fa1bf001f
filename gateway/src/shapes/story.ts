import type { Node } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import {
  type OwnStory,
  RevisionState,
  type Slide,
  SlideType,
  type Story,
  type StoryVersion,
  type ToldRevision,
} from '@figbase/proto/stories'
import { z } from 'zod'
import { RawJson } from '../http/json/json-writer.js'
import { required } from '../required.js'
import type { Version } from '../versions.js'
import { coreSchema, coreShape, datetime, isoOrNull, uuid } from './common.js'
import { figureRevisionInList, figureRevisionInListSchema } from './figure-revision.js'

export const slideTypeNames = [
  'title',
  'introduction',
  'figure',
  'goals',
  'data',
  'conclusion',
  'custom',
] as const

const revisionState = z.enum(['visible', 'opened', 'hidden', 'deleted'])

const slideSchema = z
  .object({
    slide_id: z.string(),
    slide_type: z.enum(slideTypeNames),
    position: z.int(),
    content: z.string(),
    revision_id: uuid.nullable(),
    revision_state: revisionState.nullable(),
    slide_data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Slide', base: 'OwnSlide', description: 'A slide of a story.' })

const toldRevisionSchema = z.union([
  figureRevisionInListSchema.extend({ revision_state: z.enum(['visible', 'opened']) }).meta({
    id: 'ToldRevision',
    base: 'RevisionShallow',
    description: 'A figure revision of a story.',
  }),
  z
    .object({
      api_id: uuid,
      entity_type: z.string(),
      revision_state: z.enum(['hidden', 'deleted', 'visible', 'opened']),
    })
    .meta({
      id: 'ToldRevisionReference',
      description: 'A figure revision of a story, of which the caller may know no more now.',
    }),
])

export const shallowStorySchema = z
  .object({
    ...coreSchema,
    name: z.string(),
    description: z.string().nullable(),
    workspace: uuid,
  })
  .meta({ id: 'StoryShallow', base: 'CoreObject', description: 'A story, without its content.' })

const contentSchema = { revisions: z.array(toldRevisionSchema), slides: z.array(slideSchema) }

export const storySchema = shallowStorySchema
  .extend({
    ...contentSchema,
    generation_status: z.string().nullable(),
    revisions_visible_to_readers: z.boolean(),
  })
  .meta({ id: 'Story', base: 'StoryShallow', description: 'A story.' })

export const storyVersionSchema = z
  .object({
    version: z.int(),
    saved_by: z.string(),
    saved_on: datetime,
  })
  .meta({ id: 'StoryVersion', description: 'A saved version of a story, without its content.' })

export const fullStoryVersionSchema = storyVersionSchema
  .extend({
    name: z.string(),
    description: z.string().nullable(),
    ...contentSchema,
  })
  .meta({
    id: 'StoryVersionFull',
    base: 'StoryVersion',
    description: 'A saved version of a story.',
  })

export const shallowStory = (node: Node, version: Version) =>
  Object.assign(coreShape('story', node, version), {
    name: node.name,
    description: node.description ?? null,
    workspace: node.workspaceId,
  })

/** What a story says; `summaries` are those of the revisions that the caller may view. */
export const storyContent = (
  { revisions, slides }: { revisions: ToldRevision[]; slides: Slide[] },
  summaries: Map<string, Revision>,
  version: Version,
) => ({
  revisions: revisions.map(({ id, state }) => {
    const summary = summaries.get(id)
    const shape = summary
      ? figureRevisionInList(summary, version)
      : { api_id: id, entity_type: 'figure_revision' }
    return Object.assign(shape, { revision_state: stateName(state) })
  }),
  slides: slides.map(slideShape),
})

export const storyShape = (
  { generationStatus, revisionsVisible }: Story,
  node: Node,
  content: ReturnType<typeof storyContent>,
  version: Version,
) =>
  Object.assign(shallowStory(node, version), content, {
    generation_status: generationStatus || null,
    revisions_visible_to_readers: revisionsVisible,
  })

const slideShape = (slide: Slide) => ({
  slide_id: slide.id,
  slide_type: SlideType[slide.type].toLowerCase(),
  position: slide.position,
  content: slide.content,
  revision_id: slide.revisionId || null,
  revision_state: stateName(slide.revisionState),
  slide_data: new RawJson(slide.dataJson),
})

const stateName = (state: RevisionState) =>
  state === RevisionState.UNSPECIFIED ? null : RevisionState[state].toLowerCase()

export const storyVersionShape = ({ version, savedBy, savedOn }: StoryVersion) => ({
  version,
  saved_by: savedBy,
  saved_on: isoOrNull(savedOn),
})

const ownSlideSchema = slideSchema
  .omit({ revision_state: true })
  .meta({ id: 'OwnSlide', description: 'A slide that the caller saved.' })

/** What a user has saved of a story, for the export of an account. */
export const ownStorySchema = storyVersionSchema
  .extend({
    api_id: uuid,
    name: z.string(),
    description: z.string().nullable(),
    revisions: z.array(uuid),
    slides: z.array(ownSlideSchema),
  })
  .meta({ id: 'OwnStory', base: 'StoryVersion', description: 'What the caller saved of a story.' })

export const ownStoryShape = ({
  id,
  version,
  name,
  description,
  revisionIds,
  slides,
}: OwnStory) => ({
  api_id: id,
  ...storyVersionShape(required(version)),
  name,
  description: description ?? null,
  revisions: revisionIds,
  slides: slides.map((slide) => {
    const { revision_state: _, ...own } = slideShape(slide)
    return own
  }),
})
