import { billing } from './billing.js'
import { compute } from './compute.js'
import { git } from './git.js'
import { insight } from './insight.js'
import { objects } from './objects.js'
import { people } from './people.js'
import { plans } from './plans.js'
import { site } from './site.js'
import { webhooks } from './webhooks.js'

export { parameters } from './parameters.js'

/** What members mean, by their name; or by `<component>.<name>` where a name has another meaning. */
export const members: Record<string, string> = {
  ...objects,
  ...people,
  ...plans,
  ...insight,
  ...compute,
  ...site,
  ...webhooks,
  ...billing,
  ...git,
}
