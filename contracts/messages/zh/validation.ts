import type { z } from 'zod';
import type { validation as english } from '../en/validation.ts';

const rules = {
  notBlank: () => '不能为空',
  statusRequires: (status: string, field: string) => `状态“${status}”必须有 ${field}`,
  statusLeavesNull: (status: string, field: string) => `状态“${status}”的 ${field} 必须为空`,
  replannedRequiresPlan: () => '状态“replanned”必须有非空的计划',
  doneRequiresResponse: () => '状态“done”必须有 response',
  titleOrSteps: () => '必须有标题或步骤',
  statusOrNotes: () => '必须有状态或备注',
  stepStatusOrNotes: () => '必须有步骤的状态或备注',
} satisfies (typeof english)['rules'];

const units: Record<string, string> = { string: ' 个字符', array: ' 项', set: ' 项', map: ' 项' };

const ruleText = (params: Record<string, unknown> | undefined): string => {
  const named = Object.entries(rules).find(([name]) => name === params?.['rule']);
  const args = Array.isArray(params?.['args']) ? params['args'].map(String) : [];
  return named === undefined ? '不符合要求' : (named[1] as (...given: string[]) => string)(...args);
};

const issueText = (issue: z.core.$ZodIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return `应为 ${issue.expected} 类型`;
    case 'invalid_value':
      return `只能是 ${issue.values.map(String).join('、')}`;
    case 'too_small':
      return issue.minimum === 1 && issue.origin in units
        ? '不能为空'
        : `不能小于 ${issue.minimum}${units[issue.origin] ?? ''}`;
    case 'too_big':
      return `不能超过 ${issue.maximum}${units[issue.origin] ?? ''}`;
    case 'invalid_format':
      return '格式不正确';
    case 'not_multiple_of':
      return `必须是 ${issue.divisor} 的倍数`;
    case 'unrecognized_keys':
      return `没有 ${issue.keys.join('、')} 这个字段`;
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined
        ? `只能是 ${issue.options.map(String).join('、')}`
        : '不符合要求';
    case 'invalid_key':
    case 'invalid_element':
      return '不符合要求';
    case 'custom':
      return ruleText(issue.params);
    default:
      return issue satisfies never;
  }
};

export const validation = { issue: issueText, rules } satisfies typeof english;
