import { basename } from 'node:path'
import { type Group as GroupOf, groupFiles, groupOf, stemOf as stem } from '@figbase/client'

/** The paths of the files of one figure. */
export type Group = GroupOf<string>

export const stemOf = (path: string): string => stem(basename(path))

export const toGroups = (paths: string[]): Group[] => groupFiles(paths, basename)

export const toGroup = (name: string, paths: string[]): Group => groupOf(name, paths, basename)
