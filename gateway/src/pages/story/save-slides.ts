import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Slide, SlideSchema, Story } from '@figbase/proto/stories'
import type { Input } from '../../endpoint.js'
import type { FormValues } from '../form.js'
import { type Problem, problemOf } from '../form-problem.js'
import { readStory, versionIn } from './read.js'

export type NewSlide = MessageInitShape<typeof SlideSchema>

/** Saves changed slides of the version that the form was made for; fails if the story has another one. */
export async function saveSlides(
  input: Input<FormValues>,
  change: (slides: Slide[]) => NewSlide[],
): Promise<Problem> {
  const { services, call, body } = input
  const story = await readStory(input)
  const slides = change(story.slides)
  const request = {
    id: story.node?.id ?? '',
    slides: { slides },
    revisions: { ids: toldAfter(story, slides) },
    expectedVersion: versionIn(body.version),
  }
  return problemOf(services.stories.updateStory(request, call))
}

/** The told revisions without those that no slide shows any more, and with those that a slide shows now. */
function toldAfter({ revisions, slides }: Story, changed: NewSlide[]): string[] {
  const before = shownIn(slides)
  const after = shownIn(changed)
  const kept = revisions.map(({ id }) => id).filter((id) => after.has(id) || !before.has(id))
  return [...new Set([...kept, ...after])]
}

const shownIn = (slides: NewSlide[]) =>
  new Set(slides.flatMap(({ revisionId }) => (revisionId ? [revisionId] : [])))
