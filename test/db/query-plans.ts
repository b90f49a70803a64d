/** A node of a plan from `EXPLAIN (FORMAT JSON)`. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly this[];
}

/** A row of the result of `EXPLAIN (FORMAT JSON)`. */
export interface ExplainRow<P extends PlanNode = PlanNode> {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: P }];
}

/** A node and all nodes below it. */
export const nodesOf = <P extends PlanNode>(plan: P): P[] => [
  plan,
  ...(plan.Plans ?? []).flatMap((node) => nodesOf(node)),
];
