import type { Endpoint } from '../endpoint.js'
import { analysis } from './analysis.js'
import { asset } from './asset.js'
import { download } from './download.js'
import { figure } from './figure.js'
import { guidePages } from './guide/pages.js'
import { invitation } from './invitation.js'
import { passwordReset } from './password-reset.js'
import { referencePages } from './reference/reference.js'
import { revisionPages } from './revision.js'
import { signInPages } from './sign-in/sign-in.js'
import { storyPages } from './story.js'
import { verifyEmail } from './verify-email.js'
import { organization, workspace } from './workspace.js'

/** All HTML pages. */
export const pages: Endpoint[] = [
  ...revisionPages,
  figure,
  analysis,
  asset,
  workspace,
  organization,
  ...storyPages,
  invitation,
  download,
  ...signInPages,
  ...passwordReset,
  ...verifyEmail,
  ...guidePages,
  ...referencePages,
]

/** The pages in the notation of OpenAPI: `GET /figure/{id}/`. */
export const pageRoutes: string[] = pages.map(
  ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
)
