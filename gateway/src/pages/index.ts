import type { Endpoint } from '../endpoint.js'
import { analysis } from './analysis.js'
import { asset } from './asset.js'
import { download } from './download.js'
import { figure } from './figure.js'
import { invitation } from './invitation.js'
import { passwordReset } from './password-reset.js'
import { revisionPages } from './revision.js'
import { signInPages } from './sign-in/sign-in.js'
import { verifyEmail } from './verify-email.js'
import { organization, workspace } from './workspace.js'

/** Every page for people; those to which the links of published images lead come first. */
export const pages: Endpoint[] = [
  ...revisionPages,
  figure,
  analysis,
  asset,
  workspace,
  organization,
  invitation,
  download,
  ...signInPages,
  ...passwordReset,
  ...verifyEmail,
]

/** Each page as the API's document names its routes: `GET /figure/{id}/`. */
export const pageRoutes: string[] = pages.map(
  ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
)
