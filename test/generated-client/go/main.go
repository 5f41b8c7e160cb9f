// The program of an integrator whose client openapi-generator wrote for Go: BASE_URL ACCESS_TOKEN REPORT.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"example.com/acme/exposure"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	configuration := exposure.NewConfiguration()
	configuration.Servers = exposure.ServerConfigurations{{URL: os.Args[1]}}
	client := exposure.NewAPIClient(configuration)
	caller := context.WithValue(context.Background(), exposure.ContextAccessToken, os.Args[2])

	text, err := os.ReadFile(os.Args[3])
	must(err)
	var report exposure.FindingsImport
	must(json.Unmarshal(text, &report))
	queued, _, err := client.ImportAPI.ImportFindings(caller).FindingsImport(report).Execute()
	must(err)
	for {
		task, _, err := client.TasksAPI.GetTask(caller, queued.TaskId).Execute()
		must(err)
		if imported := task.ImportTask; imported != nil && imported.Status == "succeeded" {
			created := imported.Result.BySeverity.Created
			fmt.Print(created.Critical+created.High+created.Medium+created.Low+created.Info, " findings, ")
			break
		}
		time.Sleep(200 * time.Millisecond)
	}

	severe := []string{"critical", "high"}
	page, _, err := client.FindingsAPI.ListFindings(caller).Status([]string{"open"}).Severity(severe).PaginateSize(10).Execute()
	must(err)
	fmt.Println(page.TotalCount, "of them severe")

	update := exposure.FindingUpdate{Tags: []string{"tour"}}
	update.SetStatus("in_progress")
	changed, _, err := client.FindingsAPI.UpdateFinding(caller, page.Data[0].Id).FindingUpdate(update).Execute()
	must(err)
	fmt.Println(changed.Status, strings.Join(changed.Tags, " "))
}
