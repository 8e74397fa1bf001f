import { invalid } from '@figbase/kit/errors'
import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import { type Slide, SlideType, type Story } from '@figbase/proto/stories'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, tried } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn, pageNotFound } from '../ids.js'
import { type Page, userPage } from '../page.js'
import { getPlaced, type Placed } from '../placed.js'
import { contentIn } from '../talk/comment-form.js'
import { recentFigures, revisionIn, toldFigures } from './figures.js'
import { readStory, storyPath } from './read.js'
import { type NewSlide, saveSlides } from './save-slides.js'
import { dataFor } from './slide-data.js'
import { type SlideValues, slideForm } from './slide-form.js'
import { textTypes } from './slide-types.js'
import { writeText } from './write-text.js'

/** `slide`: the slide to edit; without it, a new one after the slide `after`. */
const query = z.object({
  slide: z.string().max(100).optional(),
  after: z.string().max(100).catch(''),
  kind: z.enum(['text', 'figure']).catch('text'),
})

/** Edits one slide of a story, or inserts one. */
export const slidePages: Route[] = [
  userPage('/story/:id/slide/', (input) => slidePage(input), { query }),
  { ...userForm('/story/:id/slide/', submit, { isLong: true }), query },
]

const askedIn = (input: Input) => input.query as z.output<typeof query>

type Typed = { values: SlideValues; problem?: Problem; isPreview?: boolean; omissions?: string[] }

async function slidePage(input: Input, typed?: Typed): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const [story, placed, { isAiEnabled }] = await Promise.all([
    readStory(input),
    getPlaced(input, idIn(input), NodeType.STORY),
    input.readSite(),
  ])
  const { slide: id } = askedIn(input)
  const saved = story.slides.find((slide) => slide.id === id)
  if (id !== undefined && !saved && !typed) throw pageNotFound()
  const values = typed?.values ?? (saved ? valuesOf(saved) : newValues(input))
  const choices =
    values.type === SlideType.FIGURE ? await choicesOf(input, story, placed) : undefined
  const back = `${storyPath(placed.node.id)}edit/#slides`
  const { version } = story
  const title = t(id === undefined ? 'story.newSlide' : 'story.slide')
  return {
    ...(typed?.problem && { status: typed.problem.status }),
    title,
    hasForm: true,
    content: html`${pathTo(texts, placed)}<p class="kind">${t('kind.story')}</p>
<h1>${title}</h1>
${await slideForm(input, values, { ...typed, saved, version, isAiEnabled, choices, back })}`,
  }
}

const valuesOf = ({ type, content, revisionId }: Slide): SlideValues => ({
  type,
  content,
  revisionId,
  address: '',
})

const newValues = (input: Input): SlideValues => ({
  type: askedIn(input).kind === 'figure' ? SlideType.FIGURE : SlideType.CUSTOM,
  content: '',
  revisionId: '',
  address: '',
})

/** The workspace of the story, if the reader is a member of it. */
async function choicesOf(input: Input, story: Story, { ancestors }: Placed) {
  const workspace = ancestors.find(({ type }) => type === NodeType.WORKSPACE)
  const [told, recent] = await Promise.all([
    toldFigures(input, story),
    recentFigures(input, workspace?.id ?? ''),
  ])
  return { told, recent }
}

async function submit(input: Input<FormValues>): Promise<FormResult> {
  const { action = '' } = input.body
  const typed = typedIn(input.body)
  if (action === 'preview') {
    return { status: 200, page: await slidePage(input, { values: typed, isPreview: true }) }
  }
  const found = await tried(withAddress(input, typed))
  if (found.problem) return again(found.problem, typed)
  const values = found.value
  if (action !== 'save') {
    const place = { storyId: idIn(input), slideId: askedIn(input).slide ?? '' }
    const text = await tried(writeText(input, action, place, values))
    if (text.problem) return again(text.problem, values)
    const { content, omissions } = text.value
    return {
      status: 200,
      page: await slidePage(input, { values: { ...values, content }, omissions }),
    }
  }
  const problem = await saveSlides(input, (slides) => withSlide(slides, askedIn(input), values))
  return problem ? again(problem, values) : { to: `${storyPath(idIn(input))}edit/#slides` }

  async function again(problem: NonNullable<Problem>, values: SlideValues): Promise<FormResult> {
    return { status: problem.status, page: await slidePage(input, { values, problem }) }
  }
}

function typedIn(body: FormValues): SlideValues {
  const { type = '', revision: revisionId = '', address = '' } = body
  const isFigure = type === String(SlideType.FIGURE)
  const textType = textTypes.find((one) => String(one) === type) ?? SlideType.CUSTOM
  const content = contentIn(body)
  return isFigure
    ? { type: SlideType.FIGURE, content, revisionId, address: address.trim() }
    : { type: textType, content, revisionId: '', address: '' }
}

/** The address of a revision takes precedence over the choice. */
async function withAddress(input: Input, values: SlideValues): Promise<SlideValues> {
  const { type, address } = values
  if (address) return { ...values, revisionId: await revisionIn(input, address), address: '' }
  if (type === SlideType.FIGURE && !values.revisionId) throw invalid('revision_id', 'is required')
  return values
}

/** A slide that was removed meanwhile is inserted again. */
function withSlide(
  slides: Slide[],
  { slide: id, after }: z.output<typeof query>,
  { type, content, revisionId }: SlideValues,
): NewSlide[] {
  const changed = { type, content, revisionId }
  const at = slides.findIndex((slide) => slide.id === id)
  const saved = slides[at]
  if (saved) return slides.with(at, { ...saved, ...changed, dataJson: dataFor(saved, revisionId) })
  const place = slides.findIndex((slide) => slide.id === after) + 1
  return [...slides.slice(0, place), changed, ...slides.slice(place)]
}
