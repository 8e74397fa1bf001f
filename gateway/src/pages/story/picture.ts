import type { Route } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'
import { errorReply } from '../page.js'
import { readStory, storyPath } from './read.js'

/** Longer side in pixels. */
const sizePx = 1024

export const storyPicturePath = (storyId: string, revisionId: string): string =>
  `${storyPath(storyId)}picture/${revisionId}/`

/** The picture of a revision that a story tells, for the pages: the browser sends the cookie of the session. */
export const storyPicture: Route = {
  method: 'GET',
  path: '/story/:id/picture/:revision/',
  since: 'v1',
  auth: 'optional',
  acceptsSession: true,
  errorReply,
  async handle(input) {
    const { revisions } = await readStory(input)
    const told = revisions.find(({ id }) => id === input.params.revision?.toLowerCase())
    if (!told?.node) throw noPicture()
    const request = { groups: [{ revisionIds: [told.id] }], sizePx }
    const { pngs } = await input.services.revisions.readThumbnails(request, input.call)
    const [bytes] = pngs
    if (!bytes || bytes.length === 0) throw noPicture()
    const headers = {
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
    }
    return { status: 200, headers, bytes, type: 'image/png' }
  },
}

const noPicture = () => new HttpError(404, 'not_found', 'this picture does not exist')
