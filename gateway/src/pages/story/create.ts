import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { textsOf } from '../../texts/texts.js'
import { readChildren } from '../browse/lists.js'
import { type NodeValues, nodeForm, valuesIn } from '../edit/node-form.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, tried } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { recentFigures, type Told, toldOf } from './figures.js'
import { storyPath } from './read.js'

const { workspace, analysis, figure } = kinds

/** A new story: from figures of a workspace, or those of an analysis. */
export const createPages: Route[] = [workspace, analysis].flatMap((parent) => {
  const address = `/${parent.segment}/:id/new/story/`
  return [
    userPage(address, (input) => newPage(input, parent)),
    userForm(address, (input) => submit(input, parent)),
  ]
})

type Typed = { values: NodeValues; body: FormValues; problem: Problem }

async function newPage(input: Input, parent: Kind, typed?: Typed): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const [placed, figures, { isAiEnabled }] = await Promise.all([
    getPlaced(input, idIn(input), parent.type),
    readFigures(input, parent),
    input.readSite(),
  ])
  // The figures of an analysis are chosen, until something else is typed.
  const isChosen = (name: string) => (typed ? name in typed.body : parent === analysis)
  const values = typed?.values ?? { name: placed.node.name, description: '' }
  const problem = typed?.problem
  const writer = isAiEnabled
    ? html`<label class="check"><input type="checkbox" name="generate"> ${t('story.generateNew')}</label>`
    : html``
  return {
    ...(problem && { status: problem.status }),
    title: t('new.story'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<p class="kind">${t('kind.story')}</p>
<h1>${t('new.story')}</h1>
${nodeForm(input, texts, values, {
  submit: t('edit.create'),
  problem,
  below: html`${figureBoxes(input, figures, isChosen)}${writer}`,
})}`,
  }
}

/** The newest revisions of the figures; at most one page of them. */
async function readFigures(input: Input, parent: Kind): Promise<Told[]> {
  if (parent === workspace) return recentFigures(input, idIn(input))
  return toldOf((await readChildren(input, idIn(input), figure, 1)).nodes)
}

const boxName = (revisionId: string) => `figure.${revisionId}`

function figureBoxes(input: Input, figures: Told[], isChosen: (name: string) => boolean): Html {
  const { t } = textsOf(input)
  if (figures.length === 0) return html`<p class="quiet">${t('story.noFigures')}</p>`
  const boxes = figures.map(({ revisionId, name }) => {
    const box = boxName(revisionId)
    return html`<label class="check"><input type="checkbox" name="${box}"${isChosen(box) ? html` checked=""` : html``}> <bdi>${name}</bdi></label>`
  })
  return html`<fieldset class="list"><legend>${t('story.chooseFigures')}</legend>${boxes}</fieldset>`
}

async function submit(input: Input<FormValues>, parent: Kind): Promise<FormResult> {
  const { services, call, body } = input
  const values = valuesIn(body)
  const revisionIds = Object.keys(body)
    .filter((name) => name.startsWith('figure.'))
    .map((name) => name.slice('figure.'.length))
  const created = await tried(
    workspaceOf(input, parent).then((workspaceId) =>
      services.stories.createStory(
        { workspaceId, ...values, revisionIds, generate: body.generate !== undefined },
        call,
      ),
    ),
  )
  if (created.problem) {
    const { problem } = created
    return { status: problem.status, page: await newPage(input, parent, { values, body, problem }) }
  }
  return { to: storyPath(required(required(created.value.story).node).id) }
}

/** A story of an analysis is in its workspace. */
async function workspaceOf(input: Input, parent: Kind): Promise<string> {
  const { services, call } = input
  const id = idIn(input)
  if (parent === workspace) return id
  const { node } = await services.catalog.getNode({ id, type: NodeType.ANALYSIS }, call)
  return required(node).workspaceId
}
