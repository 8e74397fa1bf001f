import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { html } from '@figbase/kit/text'
import type { Invitation } from '@figbase/proto/catalog'
import type { Input, Route } from '../endpoint.js'
import { required } from '../required.js'
import { membershipResources } from '../routes/member/resources.js'
import { type Texts, textsOf } from '../texts/texts.js'
import { type FormResult, formToken, userForm } from './form.js'
import { type Problem, problemNote, tried } from './form-problem.js'
import { pageNotFound } from './ids.js'
import { pagePath } from './kinds.js'
import { type Page, page } from './page.js'
import { roleKey } from './roles.js'
import { signInFor } from './sign-in/next.js'
import { isSignUpOpen, signUpFor } from './sign-up/open.js'
import { nameHtml } from './text.js'

const path = '/invitations/:kind/:token/'

/** What the token invites to; throws a 404 for an unknown kind. */
function targetIn({ params: { kind, token = '' } }: Input) {
  const resource = membershipResources.find(({ segment }) => segment === kind)
  if (!resource) throw pageNotFound()
  return { token, type: resource.type }
}

const show = page(path, (input) => {
  const target = targetIn(input)
  return input.username ? invitedPage(input, target) : anonymousPage(input)
})

/** Shows nothing of the invitation, so that it needs no read of it: the sign-in leads back. */
async function anonymousPage(input: Input): Promise<Page> {
  const { t } = textsOf(input)
  const signUp = (await isSignUpOpen(input))
    ? html`<p>${t('signUp.offer', { link: (text) => html`<a href="${signUpFor(input.url)}">${text}</a>` })}</p>`
    : html``
  return {
    title: t('invitation.title'),
    content: html`<h1>${t('invitation.title')}</h1>
<p>${t('invitation.what')}</p>
<p><a class="button" href="${signInFor(input.url)}">${t('invitation.signIn')}</a></p>
${signUp}<p class="quiet">${t('invitation.ignore')}</p>`,
  }
}

async function invitedPage(input: Input, target: ReturnType<typeof targetIn>, problem?: Problem) {
  try {
    const { invitation } = await input.services.catalog.getInvitationByToken(target, input.call)
    return questionPage(input, required(invitation), problem)
  } catch (error) {
    if (!hasCode(error, Code.NotFound)) throw error
    return endedPage(textsOf(input), problem)
  }
}

function questionPage(input: Input, invitation: Invitation, problem?: Problem): Page {
  const { t, dateTime } = textsOf(input)
  const { invitedBy, role, expiresOn, targetName } = invitation
  const values = {
    inviter: nameHtml(invitedBy),
    kind: input.params.kind ?? '',
    place: html`<strong>${nameHtml(targetName)}</strong>`,
    role: html`<strong>${t(roleKey(role))}</strong>`,
  }
  return {
    ...(problem && { status: problem.status }),
    title: t('invitation.title'),
    hasForm: true,
    content: html`<h1>${t('invitation.title')}</h1>
${problemNote(t, problem)}<p>${t('invitation.invites', values)}</p>
<p>${t('invitation.asUser', { name: nameHtml(input.username), time: dateTime(expiresOn) })}</p>
<form method="post">${formToken(input)}<button>${t('invitation.accept')}</button></form>
<p class="quiet">${t('invitation.ignore')}</p>`,
  }
}

/** A refused attempt may have used the invitation up: then its error counts. */
const endedPage = ({ t }: Texts, problem?: Problem): Page => ({
  status: problem?.status ?? 404,
  title: t('invitation.title'),
  content: html`<h1>${t('invitation.title')}</h1>
${problem ? problemNote(t, problem) : html`<p>${t('invitation.ended')}</p>`}`,
})

const accept = userForm(path, async (input): Promise<FormResult> => {
  const target = targetIn(input)
  try {
    const done = await tried(input.services.catalog.acceptInvitation(target, input.call))
    if (done.problem) {
      const page = await invitedPage(input, target, done.problem)
      return { status: done.problem.status, page }
    }
    const { targetId: id, type } = required(done.value.invitation)
    return { to: pagePath({ id, type }) }
  } catch (error) {
    if (!hasCode(error, Code.NotFound)) throw error
    return { status: 404, page: endedPage(textsOf(input)) }
  }
})

export const invitationPages: Route[] = [show, accept]
