import { type Created, pixels } from '../author.js'

/** A figure about which a user asks; requests to the model contain its name, which names the user. */
export type FigureOfUser = { name: string; workspace: string; revisions: string[] }

/** The figure in the workspace of the user, and one in a workspace that other users spend, too. */
export type Place = { own: FigureOfUser; common: FigureOfUser }

export type Post = <T>(path: string, body: object) => Promise<T>

export async function newAnalysis(post: Post): Promise<{ workspace: string; analysis: string }> {
  const { api_id: workspace } = await post<Created>('workspace/', { name: 'W' })
  const { api_id: analysis } = await post<Created>('analysis/', { name: 'A', workspace })
  return { workspace, analysis }
}

/** A figure with two revisions; `reader` may use AI on it. */
export async function newFigure(
  post: Post,
  name: string,
  { workspace, analysis }: { workspace: string; analysis: string },
  reader?: string,
): Promise<FigureOfUser> {
  const { api_id: figure } = await post<Created>('figure/', { name, analysis })
  const revisions: string[] = []
  while (revisions.length < 2) {
    const data = [
      { name: 'image', type: 'image', data: pixels },
      { name: 'plot.py', type: 'code', data: Buffer.from('plot(means)').toString('base64') },
    ]
    revisions.push((await post<Created>('revision/', { figure, data })).api_id)
  }
  const share = { username: reader, sharing_enabled: true }
  if (reader) await post(`figure/${figure}/share/user/`, share)
  return { name, workspace, revisions }
}
