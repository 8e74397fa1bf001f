import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFigbase, type Figbase } from '@figbase/client'
import { outcomeOf, summaryOf } from '../src/git/import-text.js'
import type { GitImport } from '../src/git/imports.js'
import { repositoryIdOf } from '../src/git/repository.js'
import { createTaskLog } from '../src/git/task-log.js'

const id = '00000000-0000-4000-8000-000000000001'
const none = { total: 0, created: 0, changed: 0, renamed: 0 }

const imported = (more: Partial<GitImport> = {}): GitImport => ({
  api_id: id,
  repository: id,
  task: id,
  status: 'succeeded',
  trigger: 'user',
  created_on: '2026-01-31T12:00:00.000000Z',
  ended_on: '2026-01-31T12:00:01.000000Z',
  commit: '1f7a7a472abf3dd9643fd615f6da379c4acb3e3a',
  error: null,
  figures: none,
  assets: none,
  refused: [],
  refused_count: 0,
  ...more,
})

test('a repository is named by its id, or by the address of its page on this server', () => {
  const figbase = createFigbase({ url: 'https://example.org/figbase/' })
  const at = 'https://example.org/figbase'
  for (const text of [
    id,
    `${at}/git-repository/${id}`,
    `${at}/git-repository/${id}/?done=saved`,
    `${at}/git-repository/${id}/delete/`,
    `${at}/api/v1.4.1/git_repository/${id}/import/`,
  ]) {
    assert.equal(repositoryIdOf(figbase, text), id, text)
  }
  for (const text of [
    'Climate/Plots',
    'https://git.example.org/lab/plots.git',
    `https://example.org/git-repository/${id}/`,
    `${at}/git-repository/plots/`,
    `${at}/figure/${id}/`,
  ]) {
    assert.throws(() => repositoryIdOf(figbase, text), { code: 2 }, text)
  }
})

test('the summary of an import has its counts, and what was left out', () => {
  const one = imported({
    figures: { total: 12, created: 3, changed: 2, renamed: 1 },
    assets: { ...none, total: 1 },
    refused: [{ path: 'a\u001b[2J.png', problem: 'is\nnot a picture' }],
    refused_count: 101,
  })
  assert.deepEqual(summaryOf(one), [
    'imported  1f7a7a472abf',
    '12 figures: 3 new, 2 changed, 1 renamed',
    '1 asset: 0 new, 0 changed, 0 renamed',
    '101 paths not imported:',
    '  a.png: is not a picture',
    '  and 100 more',
  ])
  assert.equal(outcomeOf(one), '3 new, 2 changed, 1 renamed, 101 not imported')
})

test('the outcome of an import in a few words', () => {
  assert.equal(outcomeOf(imported()), 'nothing new')
  assert.equal(outcomeOf(imported({ status: 'failed', error: 'no such branch' })), 'no such branch')
  assert.equal(outcomeOf(imported({ status: 'running', ended_on: null })), '')
})

test('each line of a task is read once, also when the server has dropped the oldest', async () => {
  const all = ['fetched', 'new: a.png', 'new: a.png', 'new: b.png'].map((line, at) => ({
    at: `2026-01-31T12:00:0${at}Z`,
    line,
  }))
  const answers = [all.slice(0, 1), all.slice(0, 1), all.slice(0, 3), all.slice(2)]
  const get = async () => ({ task_id: id, logs: answers.shift() })
  const newLines = createTaskLog({ get } as unknown as Figbase, id)
  const read: string[][] = []
  while (answers.length > 0) read.push(await newLines())
  assert.deepEqual(read, [['fetched'], [], ['new: a.png', 'new: a.png'], ['new: b.png']])
})
