import { z } from 'zod';
import { NextAction, PlanItemStatus, TaskOutcome } from '../../../contracts/answer.ts';
import { CallbackState, CallbackType, CallbackView, callbackBodies } from '../../../contracts/callback.ts';
import { Effect, PlanEdit, SessionEvent, TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import {
  DecisionRequest,
  FileView,
  JsonSchemaView,
  ListedSessionView,
  McpServerView,
  OnBusy,
  PlanPatch,
  Problem,
  ProblemType,
  ReplayResult,
  SessionView,
  StateChange,
  ToolView,
  TurnRequest,
  WaitingTask,
} from '../../../contracts/http.ts';
import { ModelCall, ModelCallSummary, SentPrompt } from '../../../contracts/model-call.ts';
import {
  CreateNamedPlan,
  MarkNamedStep,
  NamedPlan,
  NamedPlanProgress,
  NamedPlanSummary,
  NamedStep,
  NamedStepStatus,
  UpdateNamedPlan,
} from '../../../contracts/named-plan.ts';
import { LimitView } from '../../../contracts/service-limits.ts';
import { Progress, ProgressKind, SessionMessage, TurnMessage } from '../../../contracts/stream.ts';
import { PauseReason, Phase, TaskState } from '../../../contracts/task.ts';
import { SessionTraceEntry, TaskTraceEntry, TraceEntry } from '../../../contracts/trace.ts';
import { ForkPreview, PreviewedEffect, TaskView, TurnStatus, TurnView } from '../../../contracts/turn-view.ts';
import { CallUsage, Cost, Usage, UsageDay } from '../../../contracts/usage.ts';

/** The schemas that the API's description names once and refers to. */
const named = {
  TurnRequest,
  Decision: DecisionRequest,
  OnBusy,
  Turn: TurnView,
  TurnStatus,
  Task: TaskView,
  TaskState,
  TaskOutcome,
  Phase,
  PauseReason,
  PlanItemStatus,
  PlanPatch,
  PlanEdit,
  WaitingTask,
  ForkPreview,
  PreviewedEffect,
  Action: NextAction,
  Callback: CallbackView,
  CallbackState,
  CallbackType,
  TurnFinished: callbackBodies['turn.finished'],
  QuestionAsked: callbackBodies['question.asked'],
  ApprovalRequested: callbackBodies['approval.requested'],
  TaskPaused: callbackBodies['task.paused'],
  ReminderDue: callbackBodies['reminder.due'],
  Usage,
  CallUsage,
  ModelCall,
  ModelCallSummary,
  SentPrompt,
  UsageDay,
  Cost,
  Session: SessionView,
  ListedSession: ListedSessionView,
  Limit: LimitView,
  Tool: ToolView,
  McpServer: McpServerView,
  File: FileView,
  JsonSchema: JsonSchemaView,
  NamedPlan,
  NamedPlanSummary,
  NamedPlanProgress,
  NamedStep,
  NamedStepStatus,
  CreateNamedPlan,
  UpdateNamedPlan,
  MarkNamedStep,
  TraceEntry,
  TaskTraceEntry,
  SessionTraceEntry,
  TaskOpened,
  TaskEvent,
  SessionEvent,
  Effect,
  StateChange,
  Progress,
  ProgressKind,
  SessionMessage,
  TurnMessage,
  ReplayResult,
  Problem,
  ProblemType,
};

/**
 * What an entry of no task has in place of what an entry of a task has. Typed clients drop a property that can only be null
 * (`openapi-fetch` 0.17), and would refuse an entry that they were given, so these are described as they are in all entries.
 */
const inNoTask = {
  task_id: { type: ['string', 'null'] },
  state: { type: undefined, anyOf: [{ $ref: '#/components/schemas/TaskState' }, { type: 'null' }] },
  step_count: { type: ['integer', 'null'] },
};

/** What the description knows of a schema: its name, and what its own metadata says. */
export interface SchemaMetadata {
  id?: string;
  [key: string]: unknown;
}

/** Metadata of named schemas, and of others what they say themselves by `.meta()`. */
class Metadata extends WeakMap<z.core.$ZodType, SchemaMetadata> {
  override get(schema: z.core.$ZodType): SchemaMetadata | undefined {
    return super.get(schema) ?? (z.globalRegistry._map.get(schema) as SchemaMetadata | undefined);
  }
}

/** The named schemas, for zod. */
export type ComponentRegistry = z.core.$ZodRegistry<SchemaMetadata>;

/** The named schemas as a registry of zod's. The global one has no names, for the contracts that a model is given have none in them. */
export const componentSchemas = (): ComponentRegistry => {
  const registry = z.registry<SchemaMetadata>();
  registry._map = new Metadata();
  for (const [field, metadata] of Object.entries(inNoTask))
    registry._map.set(SessionTraceEntry.shape[field as keyof typeof inNoTask], metadata);
  for (const [id, schema] of Object.entries<z.ZodType>(named)) registry.add(schema, { ...schema.meta(), id });
  return registry;
};
