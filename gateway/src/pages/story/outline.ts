import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Slide, Story } from '@figbase/proto/stories'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { type NodeValues, nodeForm, valuesIn } from '../edit/node-form.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, problemNote, resultOf } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { readStory, storyPath, versionIn } from './read.js'
import { saveSlides } from './save-slides.js'
import { slideList, versionInput } from './slide-list.js'
import { writerForm } from './writer-form.js'

/** Changes the name of a story, and the order of its slides. */
export const outlinePages: Route[] = [
  userPage('/story/:id/edit/', (input) => outlinePage(input)),
  userForm('/story/:id/edit/', rename),
  userForm('/story/:id/slides/', changeOrder),
]

type Typed = { values?: NodeValues; problem?: Problem }

/** The problem is shown at the form with the name, unless it is `at` another part. */
export async function outlinePage(
  input: Input,
  { values, problem }: Typed = {},
  at: 'name' | 'slides' | 'ai' = 'name',
): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const [story, placed, { isAiEnabled }] = await Promise.all([
    readStory(input),
    getPlaced(input, idIn(input), NodeType.STORY),
    input.readSite(),
  ])
  const { name = '', description = '' } = story.node ?? {}
  const problemAt = (part: typeof at) => (part === at ? problem : undefined)
  const form = {
    submit: t('edit.save'),
    problem: problemAt('name'),
    more: versionInput(story),
    action: `${storyPath(placed.node.id)}edit/`,
    below: visibleBox(input, story),
  }
  return {
    ...(problem && { status: problem.status }),
    title: t('story.edit'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<p class="kind">${t('kind.story')}</p>
<h1>${t('story.edit')}</h1>
${nodeForm(input, texts, values ?? { name, description }, form)}
<h2 id="slides">${t('story.slides')}</h2>
${problemNote(t, problemAt('slides'))}${slideList(input, story)}
${isAiEnabled ? writerForm(input, story, problemAt('ai')) : html``}`,
  }
}

/** Opens the figures to readers of the story. Sends what it was, too, because a change takes a permission on the figures. */
function visibleBox(input: Input, { revisionsVisible }: Story): Html {
  const { t } = textsOf(input)
  const was = revisionsVisible ? html`<input type="hidden" name="was_visible" value="on">` : html``
  return html`<label class="check"><input type="checkbox" name="visible"${revisionsVisible ? html` checked=""` : html``}> ${t('story.visible')}</label>${was}
`
}

/** Fails if the story was changed since the page was made. The page then shows what was typed. */
async function rename(input: Input<FormValues>): Promise<FormResult> {
  const { services, call, body } = input
  const values = valuesIn(body)
  const id = idIn(input)
  const { visible, was_visible: was } = body
  const request = {
    id,
    ...values,
    ...(visible !== was && { revisionsVisible: visible !== undefined }),
    expectedVersion: versionIn(body.version),
  }
  return resultOf(services.stories.updateStory(request, call), storyPath(id), (problem) =>
    outlinePage(input, { values, problem }),
  )
}

async function changeOrder(input: Input<FormValues>): Promise<FormResult> {
  const { up, down, remove } = input.body
  const problem = await saveSlides(input, (slides) => {
    if (remove !== undefined) return slides.filter(({ id }) => id !== remove)
    const from = slides.findIndex(({ id }) => id === (up ?? down))
    return swapped(slides, from, up === undefined ? from + 1 : from - 1)
  })
  if (problem) {
    return { status: problem.status, page: await outlinePage(input, { problem }, 'slides') }
  }
  return { to: `${storyPath(idIn(input))}edit/#slides` }
}

/** With two slides swapped, if both exist. */
function swapped(slides: Slide[], from: number, to: number): Slide[] {
  const [one, other] = [slides[from], slides[to]]
  return one && other ? slides.with(from, other).with(to, one) : slides
}
