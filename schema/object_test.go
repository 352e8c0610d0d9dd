package schema_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestManyProperties holds objects of many properties, in any order and with names escaped, against a
// count of what is wrong with them.
func TestManyProperties(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"name %d", "a_long_name_with_%04d_in_the_middle_of_it", "%d name"} {
		manyProperties(t, form)
	}
}

func manyProperties(t *testing.T, form string) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 5, 6, 7, 8, 63, 64, 65, 128, 300} {
		var properties, required []string
		for i := range n {
			properties = append(properties, fmt.Sprintf(`"`+form+`":{"type":"integer"}`, i))
			if i%3 == 0 {
				required = append(required, fmt.Sprintf(`"`+form+`"`, i))
			}
		}
		s := mustCompile(t, `{"type":"object","properties":{`+strings.Join(properties, ",")+`},"required":[`+strings.Join(required, ",")+`],"additionalProperties":false}`)
		for range 50 {
			want := 0
			var members []string
			for i := range n {
				name := fmt.Sprintf(form, i)
				if r.IntN(20) == 0 {
					name = strings.Replace(name, "a", `\u0061`, 1)
				}
				switch {
				case r.IntN(30) == 0:
					if i%3 == 0 {
						want++
					}
				case r.IntN(30) == 0:
					members = append(members, fmt.Sprintf(`"%s":"x"`, name))
					want++
				default:
					members = append(members, fmt.Sprintf(`"%s":1`, name))
				}
			}
			if r.IntN(2) == 0 {
				members = append(members, `"other":1`)
				want++
			}
			if r.IntN(2) == 0 {
				r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
			}
			issues, err := s.Validate([]byte("{" + strings.Join(members, ", ") + "}"))
			if err != nil || len(issues) != min(want, 101) {
				t.Fatalf("%d properties: %d issues, want %d; %v", n, len(issues), want, err)
			}
		}
	}
}

// TestConcurrent uses one schema from many goroutines at once.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	all := readRecorded(t)
	var group sync.WaitGroup
	for _, r := range all[:60] {
		if !r.Compiled {
			continue
		}
		s := mustCompile(t, string(r.Schema))
		for range 4 {
			group.Go(func() {
				for _, result := range slices.Backward(r.Results) {
					var text string
					if err := json.Unmarshal(result[0], &text); err != nil {
						t.Error(err)
						return
					}
					filled, err := s.FillDefaults([]byte(text))
					if err != nil {
						t.Error(err)
						return
					}
					s.Check(filled)
				}
			})
		}
	}
	group.Wait()
}

func TestCheckDoesNotAllocate(t *testing.T) {
	s := mustCompile(t, orderSchema)
	value := []byte(orderText)
	if n := testing.AllocsPerRun(100, func() {
		if issues := s.Check(value); issues != nil {
			t.Fatal(issues)
		}
		if filled, err := s.Fill(value); err != nil || len(filled) != len(value) {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
