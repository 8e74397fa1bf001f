import { NodeType } from '@figbase/proto/catalog'
import type { Input, Route } from '../../endpoint.js'
import { type MembershipResource, membershipResources } from '../../routes/member/resources.js'
import { roleOf } from '../../shapes/member.js'
import { mailLanguageOf, textsOf } from '../../texts/texts.js'
import { confirmPage } from '../confirm.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, problemOf } from '../form-problem.js'
import { idIn } from '../ids.js'
import { pagePath } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced, may, type Placed } from '../placed.js'
import { nameHtml } from '../text.js'
import { type Forms, membersContent, membersQuery } from './members-page.js'

/** The members of workspaces and organizations; those who may manage them also see the forms. */
export const memberPages: Route[] = membershipResources.flatMap(pagesFor)

function pagesFor(resource: MembershipResource): Route[] {
  const { segment, type } = resource
  const path = `/${segment}/:id/members/`
  const targetOf = (input: Input) => ({ id: idIn(input), type })
  const pathOf = (input: Input) => `${pagePath(targetOf(input))}members/`
  const memberIn = ({ username = '', role = '' }: FormValues) => ({ username, role: roleOf(role) })
  const catalogOf = ({ services }: Input) => services.catalog

  /** Awaits the RPC of a form; shows the page again if it fails. */
  async function resultOf(
    input: Input<FormValues>,
    work: Promise<unknown>,
    form: keyof Forms,
    done: string,
  ): Promise<FormResult> {
    const problem = await problemOf(work)
    if (!problem) return { to: `${pathOf(input)}?done=${done}` }
    const shown = { ...input, query: {} }
    return {
      status: problem.status,
      page: await membersPage(shown, resource, problem, { [form]: input.body }),
    }
  }

  return [
    userPage(path, (input) => membersPage(input, resource), membersQuery),
    userForm(path, (input) => {
      const request = { ...targetOf(input), member: memberIn(input.body) }
      return resultOf(input, catalogOf(input).addMember(request, input.call), 'add', 'added')
    }),
    userForm(`${path}change/`, (input) => {
      const request = { ...targetOf(input), member: memberIn(input.body) }
      return resultOf(input, catalogOf(input).changeMember(request, input.call), 'other', 'changed')
    }),
    userForm(`${path}invite/`, (input) => {
      const { email = '', role = '' } = input.body
      const language = mailLanguageOf(input)
      const request = { targetId: idIn(input), type, email, role: roleOf(role), language }
      const work = catalogOf(input).createInvitation(request, input.call)
      return resultOf(input, work, 'invite', 'invited')
    }),
    userForm(`${path}cancel/`, (input) => {
      const request = { id: input.body.id ?? '', type }
      const work = catalogOf(input).deleteInvitation(request, input.call)
      return resultOf(input, work, 'other', 'cancelled')
    }),
    userPage(`${path}remove/:username/`, async (input) => {
      const { t } = textsOf(input)
      const { username = '' } = input.params
      const placed = await getPlaced(input, idIn(input), type)
      const { node } = placed
      const isSelf = username === input.username
      const values = { name: nameHtml(username), place: nameHtml(node.name) }
      return confirmPage(input, {
        title: t(isSelf ? 'members.leaveTitle' : 'members.removeTitle'),
        text: t(isSelf ? 'members.leaveQuestion' : 'members.removeQuestion', values),
        action: `${pathOf(input)}remove/${encodeURIComponent(username)}/`,
        button: t(isSelf ? 'members.leave' : 'members.remove'),
        back: mayListMembers(placed) ? pathOf(input) : pagePath(node),
      })
    }),
    userForm(`${path}remove/:username/`, async (input) => {
      const { username = '' } = input.params
      const work = catalogOf(input).removeMember({ ...targetOf(input), username }, input.call)
      // The page can no longer be viewed by those who have left.
      if (username !== input.username) return resultOf(input, work, 'other', 'removed')
      const problem = await problemOf(work)
      if (!problem) return { to: '/' }
      const page = await membersPage({ ...input, query: {} }, resource, problem)
      return { status: problem.status, page }
    }),
  ]
}

/** Only those who manage an organization see its members. */
const mayListMembers = (placed: Placed) =>
  may(placed, placed.node.type === NodeType.ORGANIZATION ? 'MANAGE' : 'VIEW')

async function membersPage(
  input: Input,
  resource: MembershipResource,
  problem?: Problem,
  typed: Forms = {},
): Promise<Page> {
  const { services, call, cfg } = input
  const { type } = resource
  const { cursor: pageToken = '' } = input.query as { cursor?: string }
  const placed = await getPlaced(input, idIn(input), type)
  const { id } = placed.node
  const [{ members, nextPageToken }, { invitations }] = await Promise.all([
    services.catalog.listMembers({ id, type, pageSize: cfg.pageItemsMax, pageToken }, call),
    may(placed, 'MANAGE')
      ? services.catalog.listInvitations({ targetId: id, type }, call)
      : { invitations: [] },
  ])
  const title = textsOf(input).t('members.title')
  return {
    ...(problem && { status: problem.status }),
    title,
    hasForm: true,
    content: membersContent(
      input,
      resource,
      { placed, members, nextPageToken, invitations },
      {
        problem,
        typed,
      },
    ),
  }
}
