import { SlideType } from '@figbase/proto/stories'
import { z } from 'zod'
import { slideTypeNames } from '../../shapes/story.js'
import { addedWith } from '../../versions.js'
import { description, idText, name } from '../body-members.js'

const slide = z
  .object({
    slide_id: z.string('must be a string').nullish(),
    slide_type: z.enum(slideTypeNames, `must be one of ${slideTypeNames.join(', ')}`),
    position: z.int('must be a whole number').nullish(),
    content: z.string('must be a string').nullish(),
    revision_id: idText.nullish(),
    slide_data: z.record(z.string(), z.unknown(), 'must be an object').nullish(),
  })
  .meta({ id: 'SlideUpdate', description: 'A slide to save.' })

/** Clients may send back the elements that they read. */
const revision = z.union(
  [idText, z.object({ api_id: idText }).transform(({ api_id }) => api_id)],
  'must be a UUID',
)

const content = {
  revisions: z.array(revision, 'must be a list').nullish(),
  slides: z.array(slide, 'must be a list').nullish(),
}

export const createBody = z.object({
  name,
  description,
  workspace: idText,
  ...content,
  generate: z.boolean('must be true or false').nullish(),
  client_id: idText.nullish().meta(addedWith('clientId')),
})

export const updateBody = z
  .object({
    name: name.nullish(),
    description,
    workspace: idText.nullish(),
    ...content,
    revisions_visible_to_readers: z.boolean('must be true or false').nullish(),
  })
  .meta({ id: 'StoryUpdate', description: 'The members of a story to change.' })

type SlideBody = z.output<typeof slide>

/** The slides by `position`, then in their order. Slides without a position have that of their place in the list. */
export function slidesIn(slides: SlideBody[] | null | undefined) {
  if (!slides) return {}
  const placed = slides.map((one, i) => ({ one, at: one.position ?? i }))
  placed.sort((a, b) => a.at - b.at)
  return { slides: { slides: placed.map(({ one }) => slideMessage(one)) } }
}

const slideMessage = ({ slide_id, slide_type, content, revision_id, slide_data }: SlideBody) => ({
  id: slide_id ?? '',
  type: slideTypeOf(slide_type),
  content: content ?? '',
  revisionId: revision_id ?? '',
  dataJson: slide_data ? JSON.stringify(slide_data) : '',
})

export const slideTypeOf = (name: (typeof slideTypeNames)[number]) =>
  SlideType[name.toUpperCase() as Uppercase<typeof name>]
